/**
 * Returns the line of the first mistake in a text that is not valid JSON. The error of `JSON.parse`
 * has no position for an unexpected token, so the shortest part that has it is searched for.
 */
export function lineOfJsonMistake(text: string): number {
  return text.slice(0, mistakeIn(text)).split('\n').length;
}

function mistakeIn(text: string): number {
  const message = messageFor(text);
  const [, position] = / at position (\d+)/.exec(message) ?? [];
  const end = text.trimEnd().length;
  if (position !== undefined) return Math.min(Number(position), end);
  if (!isUnexpectedToken(message)) return end;
  let [without, including] = [0, text.length];
  while (including - without > 1) {
    const middle = Math.floor((without + including) / 2);
    if (isUnexpectedToken(messageFor(text.slice(0, middle)))) including = middle;
    else without = middle;
  }
  return including - 1;
}

function isUnexpectedToken(message: string): boolean {
  return message.startsWith('Unexpected token');
}

function messageFor(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}
