// The rule: no hand-written source over 400 lines, a median under 90, a 95th percentile under 260.
import { isSource, listFiles, readText } from './source-tree.ts';

const mostLines = 400;
const medianBelow = 90;
const percentile95Below = 260;

export function checkSize(root: string): string[] {
  const sizes = listFiles(root)
    .filter(isSource)
    .map((file) => ({ file, lines: countLines(readText(root, file)) }))
    .sort((a, b) => a.lines - b.lines);
  const problems = sizes
    .filter(({ lines }) => lines > mostLines)
    .map(({ file, lines }) => `${file} has ${lines} lines; the most is ${mostLines}`);
  const median = atShare(sizes, 0.5);
  if (median >= medianBelow) problems.push(`the median file has ${median} lines`);
  const percentile95 = atShare(sizes, 0.95);
  if (percentile95 >= percentile95Below) {
    problems.push(`the 95th percentile of all files is ${percentile95} lines`);
  }
  return problems;
}

function countLines(text: string): number {
  if (text === '') return 0;
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

// The nearest rank: the smallest size that at least this share of all files does not exceed.
function atShare(sizes: readonly { lines: number }[], share: number): number {
  return sizes[Math.max(0, Math.ceil(sizes.length * share) - 1)]?.lines ?? 0;
}
