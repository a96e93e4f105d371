// What the pages' styles may use: what the browsers of the end of 2024 know (Chrome 131, Firefox 133, Safari 18.2).
//
// Newer things are allowed one by one, where a page is whole without them.

import css from "@eslint/css";

export default [
  { ignores: ["src/thorp/server/web/static/**"] },
  {
    files: ["**/*.css"],
    plugins: { css },
    language: "css/css",
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "css/use-baseline": [
        "error",
        {
          available: 2024,
          // Between two pages nothing moves.
          allowAtRules: ["view-transition"],
          // None of these lays anything elsewhere.
          allowProperties: [
            "accent-color",
            "forced-color-adjust",
            "overscroll-behavior",
            "overscroll-behavior-x",
            "scrollbar-color",
            "text-size-adjust",
            // where it stands, Safari's own name for it stands as well
            "user-select",
          ],
          // Lines and printed pages break elsewhere.
          allowPropertyValues: {
            "break-after": ["avoid"],
            "text-wrap": ["pretty"],
            "word-break": ["auto-phrase"],
          },
          // Words that were looked for in the rules are not marked; what a replay folds away opens within its line.
          allowSelectors: ["details-content", "highlight"],
        },
      ],
    },
  },
];
