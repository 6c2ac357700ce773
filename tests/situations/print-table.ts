import type { Played } from './play-situations.ts';

export function printTable(played: readonly Played[]): void {
  const lines: string[] = [];
  for (const { theme, name, expected, got, problems, tookMs } of played) {
    const isRight = problems.length === 0;
    lines.push(`${isRight ? 'right' : 'WRONG'}  ${theme}: ${name} (${tookMs} ms)`);
    lines.push(`       expected ${expected}`);
    if (got !== expected || !isRight) lines.push(`       got      ${got}`);
    for (const problem of problems) lines.push(`       - ${problem}`);
  }
  lines.push('');
  for (const theme of new Set(played.map((one) => one.theme))) {
    const rows = played.filter((one) => one.theme === theme);
    lines.push(`${theme}: ${rightOf(rows)} of ${rows.length} right`);
  }
  lines.push(`${played.length} situations, ${rightOf(played)} right, ${wrongOf(played)} wrong`);
  process.stdout.write(`${lines.join('\n')}\n`);
}

function rightOf(played: readonly Played[]): number {
  return played.filter(({ problems }) => problems.length === 0).length;
}

function wrongOf(played: readonly Played[]): number {
  return played.length - rightOf(played);
}
