/** A finding of journeys, as lines for a terminal. */
import type { OutputOf } from '@proofmark/contract';
import { count, grouped, mostOftenSentence, stageWords } from '@proofmark/domain';
import { sayIn } from './say-lines.ts';
import type { TerminalAbility } from './terminal.ts';

type Finding = OutputOf<'listSwarmFindings'>['items'][number];

/** Criteria and tools of several journeys may be called alike, so the journey is named; `journeys` are names by id. */
export function swarmFindingText(
  finding: Finding,
  journeys: ReadonlyMap<string, string>,
  ability: TerminalAbility,
): string {
  const sayAt = sayIn(ability);
  const say = (sentence: string) => sayAt(sentence, '  ');
  const { journeyId, subject, evidence } = finding;
  const [exemplar] = evidence.exemplars;
  const mostOften = mostOftenSentence(evidence);
  const stage =
    finding.firstFailedStage === undefined
      ? ''
      : `; the first failed stage is ${stageWords[finding.firstFailedStage]}`;
  return [
    ...sayAt(finding.title),
    ...(journeyId === null || subject.kind === 'journey'
      ? []
      : say(`Journey: ${journeys.get(journeyId) ?? journeyId}`)),
    ...say(
      `${statusOf(finding)}: ${grouped(evidence.affected)} of ${count(evidence.sliceTotal, 'session')}, seen in ${count(finding.occurrenceCount, 'wave')}${stage}.`,
    ),
    ...(mostOften === undefined ? [] : say(mostOften)),
    ...say(`Next: ${finding.nextAction}`),
    ...(exemplar === undefined
      ? []
      : say(`Example: session ${exemplar.sessionId} of run ${exemplar.runId}`)),
    `  Id: ${finding.id}`,
  ].join('\n');
}

function statusOf({ status, dismissedAt }: Finding): string {
  return dismissedAt === null ? status : `${status}, dismissed`;
}
