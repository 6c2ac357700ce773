/**
 * How long this process itself stood still while it waited for an answer, since whatever came meanwhile lay unread: a
 * server is not slow because we were. Only stillness that is longer than the usual lateness of a timer counts.
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

/** The function it returns ends it, and says for how many milliseconds. */
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
