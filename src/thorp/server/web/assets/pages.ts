// The script of pages without a table, which work without it, too: forms, links that can be copied, notices.

import { watchMe } from "./me.js";
import { watchPush } from "./push.js";
import { watchMaking, watchSetup } from "./setup.js";

watchMaking();
watchSetup();
watchMe();
watchPush();
