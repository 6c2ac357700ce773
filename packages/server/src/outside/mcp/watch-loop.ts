/**
 * Measures how long this process was paused while it waited for an answer: an answer that arrived
 * meanwhile waited unread, so the server is not to blame for that time. Only pauses beyond the
 * usual lateness of a timer count.
 */
const everyMs = 10;
const usualLatenessMs = 20;

let watched = 0;
let timer: NodeJS.Timeout | undefined;
let lastTurnAt = 0;
let stillMs = 0;

function turn(): void {
  const now = performance.now();
  const lateness = now - lastTurnAt - everyMs;
  if (lateness > usualLatenessMs) stillMs += lateness;
  lastTurnAt = now;
}

/** Starts measuring; the returned function stops and returns the milliseconds. */
export function watchLoop(): () => number {
  if (watched === 0) {
    lastTurnAt = performance.now();
    timer = setInterval(turn, everyMs).unref();
  } else turn();
  watched += 1;
  const before = stillMs;
  return () => {
    turn();
    watched -= 1;
    if (watched === 0) clearInterval(timer);
    return Math.round(stillMs - before);
  };
}
