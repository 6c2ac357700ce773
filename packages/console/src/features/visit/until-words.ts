export function untilWords(
  atMs: number,
  nowMs: number,
  word: 'at' | 'until' = 'until',
  locale?: string,
): string {
  const at = new Date(atMs);
  const now = new Date(nowMs);
  if (word === 'at' && atMs - nowMs < 60_000) {
    const seconds = Math.max(1, Math.ceil((atMs - nowMs) / 1000));
    return seconds === 1 ? 'in a second' : `in ${seconds} seconds`;
  }
  const time = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }).format(at);
  if (at.toDateString() === now.toDateString()) return `${word} ${time}`;
  const day = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' });
  return word === 'at' ? `on ${day.format(at)}, ${time}` : `until ${day.format(at)}, ${time}`;
}
