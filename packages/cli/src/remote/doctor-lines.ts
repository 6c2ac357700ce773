import type { DoctorReport } from '@proofmark/contract';
import { count, type DoctorCheckName } from '@proofmark/domain';
import {
  excludedToolText,
  revisionProblemText,
  revisionStateWords,
  whyExcluded,
} from '@proofmark/report';
import { sentenceWrapper } from './indented-lines.ts';
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
const marksOfStates = { spoken: 'ok', refused: 'skipped', broken: 'error' } as const;
const asciiMarks = { ok: 'ok', error: 'FAILED', skipped: '-' } as const;

export function checkLines(
  check: DoctorCheckName,
  { status, detail, durationMs, advice }: DoctorFinding,
  ability: TerminalAbility,
): string[] {
  const mark = ability.ascii ? asciiMarks[status].padEnd(6) : marks[status];
  const took = durationMs === undefined ? '' : ` (${Math.round(durationMs)} ms)`;
  const head = `${mark} ${names[check].padEnd(12)} `;
  const wrap = sentenceWrapper({ ...ability, width: ability.width - head.length });
  const [first = '', ...others] = wrap(`${detail}${took}`);
  return [
    `${head}${first}`,
    ...others.map((line) => `${''.padEnd(head.length)}${line.trimStart()}`),
    ...(advice === undefined ? [] : sentenceWrapper(ability)(`Do: ${advice}`, '  ')),
  ];
}

export function revisionLines(
  ability: TerminalAbility,
  revisions: DoctorReport['revisions'] = [],
): string[] {
  if (revisions.length === 0) return [];
  const say = sentenceWrapper(ability);
  const lines = revisions.flatMap(({ revision, state, detail, problems }) => {
    const shown = marksOfStates[state];
    const mark = ability.ascii ? asciiMarks[shown].padEnd(6) : marks[shown];
    const head = `${mark} ${revision}  ${revisionStateWords[state].padEnd(8)} `;
    const wrap = sentenceWrapper({ ...ability, width: ability.width - head.length });
    const [first = '', ...others] = wrap(detail);
    return [
      `${head}${first}`,
      ...others.map((line) => `${''.padEnd(head.length)}${line.trimStart()}`),
      ...problems.flatMap((problem) => say(revisionProblemText(problem), '    ')),
    ];
  });
  return ['Revisions of MCP:', ...lines];
}

export function excludedToolLines(
  ability: TerminalAbility,
  excluded: DoctorReport['excludedTools'] = [],
): string[] {
  if (excluded.length === 0) return [];
  const say = sentenceWrapper(ability);
  return [...say(whyExcluded), ...excluded.flatMap((tool) => say(excludedToolText(tool), '  '))];
}

export function doctorVerdict({ status, tools, error }: DoctorReport): string {
  if (status === 'ready') return `Ready: it offers ${count(tools.length, 'tool')}.`;
  if (status === 'oauth_required') {
    return 'It requires an OAuth grant: proofmark oauth login SERVER, or proofmark oauth import SERVER FILE.';
  }
  const why = error === null ? '' : ` ${error.message}`;
  return status === 'partial' ? `Partly ready.${why}` : `Not ready.${why}`;
}
