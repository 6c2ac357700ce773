/**
 * Lines after the first are indented by two more spaces. A word longer than a line stays whole, and
 * "100 %" is not split.
 */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  const indent = /^ */.exec(text)?.[0] ?? '';
  for (const word of text.slice(indent.length).split(/ (?!%)/)) {
    const last = lines.at(-1);
    if (last === undefined) lines.push(`${indent}${word}`);
    else if (last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${indent}  ${word}`);
  }
  return lines;
}
