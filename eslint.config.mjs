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
          // Not allowed here is what would lay things elsewhere: these are colours, and what happens at edges.
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
          // What was looked for in the rules is not marked, or has its own rule; details open within their line.
          allowSelectors: ["details-content", "highlight"],
        },
      ],
    },
  },
];
