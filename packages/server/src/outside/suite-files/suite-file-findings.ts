/** The findings about a suite file: one sentence each, with line and column. */
import type { ValueProblem } from '@proofmark/domain';
import { type Document, isMap, isNode, isScalar, isSeq } from 'yaml';
import { type SuiteFileFinding, type SuiteFileFindings, short } from './refused-file.ts';

/** Returns findings about values in a readable document. */
export function invalidAt(
  problems: readonly ValueProblem[],
  document: Document.Parsed,
  at: (offset: number) => string,
): { readonly findings: SuiteFileFindings } {
  const findings = problems.slice(0, mostFindings).map((problem): SuiteFileFinding => {
    const { path, message } = problem;
    const spelled = spell(path);
    const said = spelled === '' ? message : `${short(spelled)}: ${message}`;
    return {
      path: short(spelled),
      code: 'SUITE_FILE_INVALID',
      message: short(`${at(offsetOf(document, problem))}: ${said}`),
    };
  });
  const key = ({ path, code, message }: SuiteFileFinding) => `${path}\0${code}\0${message}`;
  findings.sort((one, other) => (key(one) < key(other) ? -1 : 1));
  return { findings: findings as [SuiteFileFinding, ...SuiteFileFinding[]] };
}

const mostFindings = 20;

function spell(path: ValueProblem['path']): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += text === '' ? step : `.${step}`;
  }
  return text;
}

/** Returns the offset of the key or the value, or of the nearest existing node around it. */
function offsetOf(document: Document.Parsed, { path, atKey }: ValueProblem): number {
  const around = atKey ? nodeIn(document, path.slice(0, -1)) : undefined;
  if (isMap(around)) {
    const name = path.at(-1);
    const pair = around.items.find(({ key }) => isScalar(key) && String(key.value) === name);
    if (isNode(pair?.key) && pair.key.range) return pair.key.range[0];
  }
  for (let length = path.length; length >= 0; length -= 1) {
    const node = nodeIn(document, path.slice(0, length));
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

function nodeIn(document: Document.Parsed, path: ValueProblem['path']): unknown {
  let node: unknown = document.contents;
  for (const step of path) {
    if (!isMap(node) && !isSeq(node)) return undefined;
    node = node.get(step, true);
  }
  return node;
}
