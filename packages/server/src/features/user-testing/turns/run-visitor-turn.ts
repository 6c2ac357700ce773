/**
 * A visitor's turn. The transaction that stores the turn checks again whether the visitor is
 * admitted. If not, nothing is stored.
 */
import {
  accessDenied,
  mayBeStored,
  notFound,
  type Refusal,
  type SessionEvidence,
  timedCallsOf,
  type VisitLine,
  visitConflicts,
} from '@proofmark/domain';
import { storedEvidence, storedProgress } from '../../../conversation/stored-session.ts';
import type { Sql } from '../../../platform/database/database.ts';
import {
  type PersonTurn,
  runTurn,
  shownToVisitor,
  type TurnBeats,
  type TurnDependencies,
  type TurnErrors,
} from '../../turns/index.ts';
import { insertApproval } from '../store/visitor-approvals.ts';
import { resumeInPlace } from '../store/visitor-turn-slots.ts';
import {
  type CallDuration,
  countTurns,
  dropTurn,
  readHistory,
  storeTurn,
  writeLines,
} from '../store/visitor-turns.ts';
import { readVisit } from '../store/visits.ts';
import type { TurnToRun } from '../visit/turn-runner.ts';
import { turnModels } from './turn-models.ts';

export async function runVisitorTurn(
  dependencies: TurnDependencies,
  beats: TurnBeats,
  turn: TurnToRun,
  send: (line: VisitLine) => void,
): Promise<void> {
  await runTurn(dependencies, beats, personTurn(dependencies, turn), { line: send });
}

function personTurn(dependencies: TurnDependencies, turn: TurnToRun): PersonTurn {
  const { id, scenarioId, grantId, played, guest, placeLimits: limits } = turn;
  const { config } = played.client;
  const asks = config.requireToolApproval === true;
  return {
    id,
    organizationId: turn.organizationId,
    projectId: turn.projectId,
    name: 'a turn of a visitor',
    text: turn.text,
    client: played.client,
    modelId: played.client.modelId,
    servers: played.servers,
    // Guests get the project's skills only if the scenario's owner allows it (`sharedSkills`).
    skills: guest !== undefined && !guest.sharedSkills ? [] : played.skills,
    listsAgain: asks,
    errors: errorsOfVisitors,
    closed: accessDenied,
    notStored: accessDenied,
    // Turns of visitors never start a program on the host, even if the environment contains a stdio
    // server.
    stdioAddressOf: () => undefined,
    mayOffer: (tool) => guest?.onlyReads !== true || onlyReads(tool),
    asksFirst: () => asks,
    approvals: {
      insert: insertApproval,
      resume: (sql) =>
        resumeInPlace(sql, { id, scenarioId, grantId, isAnonymous: guest !== undefined, limits }),
    },
    shown: shownToVisitor,
    leftOutNote,
    history: (sql) => readHistory(sql, turn),
    paying: (models) => turnModels(models, dependencies, turn),
    drop: async (sql) => refusalOf[await dropTurn(sql, id)],
    store: (sql, ended) => store(sql, turn, ended),
  };
}

type EndedTurn = Parameters<PersonTurn['store']>[1];

async function store(sql: Sql, turn: TurnToRun, ended: EndedTurn): Promise<VisitLine | undefined> {
  const { id, scenarioId, sessionId, identity, grantId, played } = turn;
  const visit = await readVisit(sql, { scenarioId }, identity);
  if (visit === undefined || !mayBeStored(visit.facts)) return undefined;
  if (visit.grant?.id !== grantId || !(await storeTurn(sql, turn, turnToStore(ended))))
    return undefined;
  const messageCount = await countTurns(sql, sessionId, {
    environmentId: played.environmentId,
    modelId: played.client.modelId,
    authInterrupted: ended.isOAuthMissing,
  });
  const last = ended.error ?? { type: 'turn_finish', messageCount };
  await writeLines(sql, id, ended.linesWith(last));
  return last;
}

function turnToStore({ status, error, messages, record, secrets }: EndedTurn) {
  const evidence = record && storedEvidence(record.evidence, secrets);
  const trace = record && storedProgress(record, secrets).trace;
  return {
    status,
    error: error === undefined ? null : { code: error.code, message: error.message },
    messages,
    evidence: evidence ?? null,
    usage: record?.usage ?? null,
    callDurations: evidence === undefined ? [] : callsIn(evidence, trace?.['spans']),
    trace: trace ?? null,
  };
}

/** Lists the calls by the same rule as metrics, so that all lists show the same numbers. */
function callsIn(evidence: SessionEvidence, spans: unknown): CallDuration[] {
  return timedCallsOf(evidence, Array.isArray(spans) ? spans : []).map(
    ({ toolName, serverName = null, durationMs = null, hasFailed }) => ({
      toolName,
      serverName,
      durationMs,
      isError: hasFailed,
    }),
  );
}

const refusalOf: Readonly<Record<Awaited<ReturnType<typeof dropTurn>>, Refusal | undefined>> = {
  dropped: undefined,
  interrupted: visitConflicts.turnInterrupted,
  gone: notFound,
};

function onlyReads({ annotations }: Readonly<Record<string, unknown>>): boolean {
  return (annotations as { readOnlyHint?: unknown } | null | undefined)?.readOnlyHint === true;
}

/**
 * Builds the note to a visitor about a server that is left out. It states the cause, but no
 * address.
 */
function leftOutNote(name: string, needsOAuth: boolean): string {
  return needsOAuth
    ? `${name} is left out: its owner has to connect it first.`
    : `${name} is left out: it cannot be reached now.`;
}

const ofProvider = {
  code: 'PROVIDER_FAILED',
  message: 'The model gave no answer. The server did not cause this; send the message again.',
};

const errorsOfVisitors: TurnErrors = {
  oauth_required: {
    code: 'OAUTH_REQUIRED',
    message: 'A server of this assistant needs a sign-in; its owner must connect it.',
  },
  server_unreachable: {
    code: 'SERVER_UNREACHABLE',
    message: 'A server of this assistant cannot be reached now.',
  },
  provider_failed: ofProvider,
  rate_limited: ofProvider,
};
