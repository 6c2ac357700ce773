/**
 * Measures how long this process was paused (its event loop blocked) while it waited for an answer.
 * An answer that arrived during a pause waited unread, so that time is not blamed on the server.
 * Only pauses beyond the usual lateness of a timer count.
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

/** Starts measuring. The returned function stops and returns the paused time in milliseconds. */
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
