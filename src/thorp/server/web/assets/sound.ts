// A soft sound when one has to decide: off until it is asked for, here or among what the person prefers.

import { prefer } from "./prefer.js";

/** Two soft tones, a fourth apart, and how long they take to fade, in seconds. */
const TONES = [523.25, 698.46];
const FADE = 0.5;
const LOUD = 0.08;

let context: AudioContext | undefined;

/** Make the switch work; the page comes with how it was left. */
export function watchSound(): void {
  const box = document.getElementById("sound");
  if (!(box instanceof HTMLInputElement)) return;
  box.addEventListener("change", () => {
    void prefer("sound", box.checked ? "on" : "off");
    if (box.checked) play();
  });
  // Browsers make no sound before somebody has done something on the page.
  document.addEventListener("pointerdown", () => isOn() && wake(), { once: true, capture: true });
  document.addEventListener("keydown", () => isOn() && wake(), { once: true, capture: true });
}

/** Sound once, if that is wanted. */
export function sound(): void {
  if (isOn()) play();
}

function isOn(): boolean {
  const box = document.getElementById("sound");
  return box instanceof HTMLInputElement && box.checked;
}

function wake(): AudioContext {
  context ??= new AudioContext();
  void context.resume();
  return context;
}

function play(): void {
  const audio = wake();
  TONES.forEach((frequency, number) => {
    const begin = audio.currentTime + 0.12 * number;
    const tone = new OscillatorNode(audio, { type: "sine", frequency });
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.setValueAtTime(0, begin);
    volume.gain.linearRampToValueAtTime(LOUD, begin + 0.03);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + FADE);
    tone.connect(volume).connect(audio.destination);
    tone.start(begin);
    tone.stop(begin + FADE);
  });
}
