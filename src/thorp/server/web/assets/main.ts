// The script of tables: htmx with its extensions, and what must be local: choosing a move by its steps, keys, motion.

// The extensions look for the global `htmx`, which the first import sets: the order matters.
import "htmx.org";
import "htmx.org/dist/ext/hx-csp.js";
import "htmx.org/dist/ext/hx-sse.js";
import { watchAbout } from "./about.js";
import { watchBeforehand } from "./beforehand.js";
import { watchChat } from "./chat.js";
import { Chooser } from "./chooser.js";
import { watchClocks } from "./clock.js";
import { watchDevice } from "./device.js";
import { watchDrawn } from "./drawn.js";
import { watchEnd } from "./end.js";
import { watchHint } from "./hint.js";
import { watchKeys } from "./keys.js";
import { watchLetters } from "./letters.js";
import { watchLink } from "./link.js";
import { watchMe } from "./me.js";
import { watchMotion } from "./motion.js";
import { watchNotices } from "./notice.js";
import { watchPinned } from "./pinned.js";
import { watchPoints } from "./points.js";
import { watchPresence } from "./present.js";
import { watchRecap } from "./recap.js";
import { watchReplay } from "./replay.js";
import { watchReview } from "./review.js";
import { watchSaid } from "./said.js";
import { watchSending } from "./sending.js";
import { watchMaking } from "./setup.js";
import { watchSound } from "./sound.js";
import { watchWhy } from "./why.js";

watchMe();
watchMaking();
if (document.getElementById("table")) {
  const chooser = new Chooser();
  watchDevice();
  watchPresence();
  watchClocks();
  watchChat();
  watchEnd();
  watchReview();
  watchBeforehand();
  watchSound();
  watchLink(chooser);
  watchSending();
  watchNotices();
  watchLetters();
  watchMotion();
  watchDrawn();
  watchAbout(chooser);
  watchPinned();
  watchPoints();
  watchRecap();
  watchWhy(chooser);
  watchHint(chooser);
  watchKeys(chooser);
  watchReplay();
  chooser.refresh();
  watchSaid(chooser);
}
