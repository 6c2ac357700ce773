/** What the doctor found, as lines: each check with its state, and what to do about those that failed. */
import type { DoctorReport } from '@proofmark/contract';
import { count, type DoctorCheckName } from '@proofmark/domain';
import { sayIn } from './say-lines.ts';
import type { TerminalAbility } from './terminal.ts';

export type DoctorFinding = DoctorReport['checks'][DoctorCheckName];

const names: Readonly<Record<DoctorCheckName, string>> = {
  probe: 'probe',
  connection: 'connection',
  initialization: 'initialize',
  capabilities: 'capabilities',
  tools: 'tools',
  resources: 'resources',
  resourceTemplates: 'templates',
  prompts: 'prompts',
};
const marks = { ok: '✓', error: '✗', skipped: '○' } as const;
const asciiMarks = { ok: 'ok', error: 'FAILED', skipped: '-' } as const;

export function findingLines(
  check: DoctorCheckName,
  { status, detail, durationMs, advice }: DoctorFinding,
  ability: TerminalAbility,
): string[] {
  const mark = ability.ascii ? asciiMarks[status].padEnd(6) : marks[status];
  const took = durationMs === undefined ? '' : ` (${Math.round(durationMs)} ms)`;
  const say = sayIn(ability);
  const [first = '', ...others] = say(`${mark} ${names[check].padEnd(12)} ${detail}${took}`);
  return [
    // Runs of spaces are one in a sentence, and columns here.
    first.replace(`${mark} ${names[check]}`, `${mark} ${names[check].padEnd(12)}`),
    ...others,
    ...(advice === undefined ? [] : say(`Do: ${advice}`, '  ')),
  ];
}

export function doctorVerdict({ status, tools, error }: DoctorReport): string {
  if (status === 'ready') return `Ready: it offers ${count(tools.length, 'tool')}.`;
  if (status === 'oauth_required') {
    return 'It wants an OAuth grant: proofmark oauth login, or proofmark oauth import FILE.';
  }
  const why = error === null ? '' : ` ${error.message}`;
  return status === 'partial' ? `Partly well.${why}` : `Not well.${why}`;
}
