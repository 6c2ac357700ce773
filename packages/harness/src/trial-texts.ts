import {
  type EvalCaseDefinition,
  isAdvisory,
  listDiagnostics,
  type Sentence,
  type TurnSummary,
} from '@proofmark/domain';
import {
  type CallLine,
  callDifferences,
  compareCalls,
  outlineTrial,
  readChecks,
  type TrialCalls,
  turnMarks,
  turnWords,
} from '@proofmark/report';
import type { TrialRecord } from '../../server/src/conversation/trial-record.ts';
import { McpFailure } from '../../server/src/outside/mcp/mcp-failure.ts';
import {
  dependenciesFor,
  firstTrial,
  modelOfLines,
  planFor,
  runServersOf,
} from './engine-trial.ts';
import type { ModelLine } from './stage-row.ts';

export type Definition = Omit<EvalCaseDefinition, 'title'>;

const servers = [{ id: 'srv_1', name: 'Sums' }];
export const tools = ['add', 'sub'];
export type Answer = 'well' | 'error' | 'nothing listed' | 'nothing in time';

function trialServersOf(answer: Answer) {
  const isListed = answer !== 'nothing listed';
  const listed = tools.map((name) => ({ name, inputSchema: { type: 'object' } }));
  return runServersOf({
    open: async () => ({
      servers: servers.map((server) => ({
        ...server,
        tools: isListed ? listed : [],
        connectMs: 1,
        listMs: 1,
      })),
      connect: { ok: true },
      toolsList: isListed
        ? { ok: true }
        : { ok: false, attribution: 'theirs', egressVerified: true },
      surface: isListed ? { hash: 'hash', text: '{}' } : null,
      ...(!isListed && { problem: 'The server could not list its tools.' }),
    }),
    callTool: async () => {
      if (answer === 'nothing in time') {
        throw new McpFailure('TIMEOUT', 'The server did not answer in time.', {
          timeoutMs: 30_000,
        });
      }
      const content = [{ type: 'text', text: '3' }];
      return { result: { content, isError: answer === 'error' }, durationMs: 1 };
    },
  } as Parameters<typeof runServersOf>[0]);
}

export interface TrialTexts {
  readonly record: TrialRecord;
  readonly definition: Definition;
  readonly page: string;
  readonly of: (label: string) => string;
  readonly checks: ReturnType<typeof readChecks>;
  readonly turns: readonly {
    readonly index: number;
    readonly text: string;
    readonly tone: string;
  }[];
  readonly marked: readonly string[];
}

export async function tell(
  definition: Definition,
  lines: readonly ModelLine[],
  answer: Answer = 'well',
): Promise<TrialTexts> {
  const plan = planFor(definition, servers);
  const record = await firstTrial(
    dependenciesFor(trialServersOf(answer), modelOfLines(lines)),
    plan,
  );
  const { expectedToolCalls, actualToolCalls } = record;
  const advisory = advisoryIds(definition);
  const calls: TrialCalls = {
    expectedToolCalls,
    actualToolCalls,
    scores: record.scores,
    evaluationConfig: { definitions: advisory.map((scorerId) => ({ scorerId, role: 'advisory' })) },
  };
  const [diagnostic] = listDiagnostics(
    { projectId: 'prj', runId: 'run' },
    [{ iterationId: 'itr', iterationNumber: 1, ...record, ...record.chain }],
    { cursorGiven: false, allTrialsRecorded: true },
  ).items;
  const outline =
    diagnostic && outlineTrial(diagnostic, false, { calls: new Map([['itr', calls]]) });
  const facts = (outline?.facts ?? []).map(({ label, text }) => [label, plain(text)] as const);
  const checks = readChecks(calls);
  const stages = record.chain.stageResults;
  const prompts = record.trace['prompts'] as TurnSummary[];
  const marks =
    diagnostic === undefined ? { missing: false, extra: false } : callDifferences(diagnostic);
  const compared = [compareCalls(expectedToolCalls, actualToolCalls, marks)];
  const turns = prompts.flatMap((turn, index) => {
    const { passed, expectedToolCalls: expected, actualToolCalls: actual } = turn;
    const words = turnWords({ passed, expected, checks: turn.predicateResults }, index, stages);
    compared.push(compareCalls(expected, actual, turnMarks(words, passed)));
    return words === undefined ? [] : [{ index, ...words }];
  });
  const page = [
    ...facts.map(([label, text]) => `${label}: ${text}`),
    ...checks.map(({ name, outcome, explanation: why = '' }) => `${name}: ${outcome}. ${why}`),
    ...turns.map(({ index, text }) => `Turn ${index + 1}: ${text}`),
  ];
  return {
    record,
    definition,
    checks,
    turns,
    page: page.join('\n'),
    of: (wanted) => facts.flatMap(([label, text]) => (label === wanted ? [text] : [])).join('\n'),
    marked: compared.flatMap((one) => [...one.expected, ...one.observed].flatMap(markedIn)),
  };
}

function advisoryIds({ steps, checks }: Definition): string[] {
  const asserted = steps.flatMap((step) => (step.kind === 'assert' ? [step.assertion] : []));
  return [...(checks?.list ?? []), ...asserted].flatMap((one, index) =>
    'type' in one && isAdvisory(one) ? [`predicate:${one.type}#${index + 1}`] : [],
  );
}

function plain(sentence: Sentence): string {
  return sentence.map((piece) => (typeof piece === 'string' ? piece : piece.theirs)).join('');
}

function markedIn(line: CallLine): string[] {
  return line.flatMap(({ text, isDifferent }) => (isDifferent ? [text] : []));
}
