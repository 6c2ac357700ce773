import type { OutputOf } from '@proofmark/contract';
import { count, grouped, stageWords } from '@proofmark/domain';
import { mostOftenSentence } from '@proofmark/report';
import { sentenceWrapper } from './indented-lines.ts';
import type { TerminalAbility } from './terminal.ts';

type Finding = OutputOf<'listSwarmFindings'>['items'][number];

/**
 * The text names the journey, because criteria or tools of several journeys may have the same name.
 * `journeys` maps journey ids to current names.
 */
export function swarmFindingText(
  finding: Finding,
  journeys: ReadonlyMap<string, string>,
  ability: TerminalAbility,
): string {
  const linesOf = sentenceWrapper(ability);
  const wrap = (sentence: string) => linesOf(sentence, '  ');
  const { journeyId, subject, evidence } = finding;
  const [exemplar] = evidence.exemplars;
  const journey = journeyId === null ? undefined : (journeys.get(journeyId) ?? journeyId);
  const mostOften = mostOftenSentence(evidence);
  const stage =
    finding.firstFailedStage === undefined
      ? ''
      : `; the first failed stage is ${stageWords[finding.firstFailedStage]}`;
  return [
    ...linesOf(finding.title),
    ...(journey === undefined || subject.kind === 'journey' || finding.title.includes(journey)
      ? []
      : wrap(`Journey: ${journey}`)),
    ...wrap(
      `${statusOf(finding)}: ${grouped(evidence.affected)} of ${sliceText(finding)}, seen in ${count(finding.occurrenceCount, 'wave')}${stage}.`,
    ),
    ...(mostOften === undefined ? [] : wrap(mostOften)),
    ...(finding.advice === undefined ? [] : wrap(`Advice: ${finding.advice}`)),
    ...wrap(`Next: ${finding.nextAction}`),
    ...(exemplar === undefined
      ? []
      : wrap(`Example: session ${exemplar.sessionId} of run ${exemplar.runId}`)),
    `  Id: ${finding.id}`,
  ].join('\n');
}

function sliceText({ dimension, subject, evidence }: Finding): string {
  const kind = slices[dimension] ?? 'played session';
  const called = subject.kind === 'tool' && dimension !== 'hallucinated_tool';
  return `${count(evidence.sliceTotal, kind)}${called ? ' that called it' : ''}`;
}

const slices: Readonly<Record<string, string>> = {
  criterion_fail: 'graded session',
  persona_struggles: 'graded session',
  marginal_pass: 'judged session',
};

function statusOf({ status, dismissedAt }: Finding): string {
  return dismissedAt === null ? status : `${status}, dismissed`;
}
