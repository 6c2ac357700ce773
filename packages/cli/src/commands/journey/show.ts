import { readAllPages } from '@proofmark/client';
import type { OutputOf } from '@proofmark/contract';
import { count, goalJudgeOf, percent, ruleJudgeId, scriptedUserId } from '@proofmark/domain';
import { checkText } from '@proofmark/report';
import type { Command } from 'commander';
import type { Connection } from '../../remote/connection.ts';
import { findJourneyId } from '../../remote/find-id.ts';
import { type NamedFacts, showCommand } from '../../remote/show-command.ts';

type Journey = OutputOf<'getJourney'>;

export function journeyShowCommand(): Command {
  return showCommand<Journey>({
    what: 'journey',
    description: 'show a journey: its goal, persona, targets and checks',
    read: async (connection, wanted) =>
      connection.client.getJourney({
        projectId: connection.projectId,
        journeyId: await findJourneyId(connection, wanted),
      }),
    facts: journeyFacts,
  });
}

async function journeyFacts(journey: Journey, connection: Connection): Promise<NamedFacts> {
  const { client, projectId } = connection;
  const { personaId, sessionsPerTarget, maxTurns } = journey;
  const [persona, targets] = await Promise.all([
    client.getPersona({ projectId, personaId }),
    targetNames(journey, connection),
  ]);
  return [
    ['Journey', journey.name],
    ['Id', journey.id],
    ['Goal', journey.goal],
    ['Persona', `${persona.name}, ${persona.role}`],
    ['Targets', targets.join(', ') || 'none: it cannot be run yet'],
    [
      'Sessions',
      `${count(sessionsPerTarget ?? 0, 'session')} on each target, at most ${count(maxTurns ?? 0, 'turn')} each`,
    ],
    ['Played by', journey.personaModel ?? scriptedUserId],
    ['Judged by', judgeText(journey)],
    ...criteriaFacts(journey),
  ];
}

function judgeText({ judgeConfig }: Journey): string {
  const judge = goalJudgeOf(judgeConfig);
  if (judge !== null) {
    const { judgeModel, threshold } = judge;
    return `${judgeModel ?? ruleJudgeId}, threshold ${percent(threshold)}; decides nothing`;
  }
  if (judgeConfig === null || judgeConfig.goalCompletion.enabled === false) return 'nobody';
  return 'no judge: its judgeConfig has no autoRun';
}

function criteriaFacts({ rubric }: Journey): NamedFacts {
  if (rubric.length === 0) return [['Checks', 'none: sessions are played and not graded']];
  return rubric.map(
    ({ label, predicate }, at) =>
      [
        `Check ${at + 1}`,
        label === null ? checkText(predicate) : `${label}: ${checkText(predicate)}`,
      ] as const,
  );
}

async function targetNames(
  { environmentIds, hostIds }: Journey,
  { client, projectId }: Connection,
): Promise<string[]> {
  const ids = environmentIds.length > 0 ? environmentIds : hostIds;
  const named: readonly { id: string; name: string }[] =
    environmentIds.length > 0
      ? await readAllPages((page) => client.listEnvironments({ projectId, ...page }))
      : hostIds.length > 0
        ? await readAllPages((page) => client.listClients({ projectId, ...page }))
        : [];
  return ids.map((id) => named.find((one) => one.id === id)?.name ?? `${id} (no longer there)`);
}
