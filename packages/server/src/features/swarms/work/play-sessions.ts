/**
 * Plays one session of a journey run and writes its start, each turn and its end. A worker that
 * lost its lease writes only the cost of its model calls. A session that was begun too often is
 * stored as an internal failure.
 */
import {
  type AttemptErrorCode,
  attemptEnds,
  chainOfUngraded,
  type JourneySnapshot,
  type MeasuredRubric,
  measureRubric,
  placeOfAttempt,
  scriptedUserId,
  unseen,
} from '@proofmark/domain';
import { prepareToEvaluate } from '../../../conversation/evaluate-seen.ts';
import { playSession } from '../../../conversation/play-session.ts';
import type { SessionRecord } from '../../../conversation/session-record.ts';
import {
  hostedUser,
  type SimulatedUser,
  scriptedUser,
} from '../../../conversation/simulated-user.ts';
import { storedEvidence, storedProgress } from '../../../conversation/stored-session.ts';
import { boundedSchemas } from '../../../outside/mcp/schema-engine.ts';
import type { TraceSecrets } from '../../../outside/mcp/trace-secrets.ts';
import { loadedTokenCounter } from '../../../outside/tokens/load-token-counter.ts';
import { readSpentToday } from '../../../platform/spending/store/daily-counters.ts';
import { isSpent } from '../../../platform/work/attempt-limit.ts';
import { LeaseLost } from '../../../platform/work/lease-keeper.ts';
import { retryWhileDatabaseIsAway } from '../../../platform/work/retry-while-database-is-away.ts';
import type { ClaimedWork } from '../../../platform/work/store/leased-work.ts';
import type { WorkAttempt, WorkKind } from '../../../platform/work/work-kind.ts';
import type { WorkerDependencies } from '../../evals/index.ts';
import { endOfSession } from '../operations/end-of-session.ts';
import { newJourneySession } from '../operations/new-journey-session.ts';
import { beatJourneyRun } from '../store/journey-runs.ts';
import { findJourneySnapshot } from '../store/journey-snapshots.ts';
import { beginSession, type SessionToEnd, writeTurn } from '../store/played-sessions.ts';
import type { OpenJourneyRun, OpenJourneyRuns } from './open-journey-runs.ts';
import { SessionSpending } from './session-spending.ts';

export function journeySessionsKind(
  dependencies: WorkerDependencies,
  runs: OpenJourneyRuns,
  atOnce: number,
): WorkKind {
  return {
    atOnce,
    async run(work, attempt) {
      if (attempt.stopping.aborted || !attempt.mayBegin()) return 'left';
      if (isSpent(work)) await giveUp(dependencies, work, attempt);
      else {
        await runs.use({ ...work, runId: work.groupId }, (run) =>
          playOne(dependencies, run, work, attempt),
        );
      }
      return 'completed';
    },
  };
}

async function playOne(
  dependencies: WorkerDependencies,
  run: OpenJourneyRun,
  work: ClaimedWork,
  { held, signal }: WorkAttempt,
): Promise<void> {
  const { database } = dependencies;
  const tenant = [work.organizationId];
  const { snapshot } = run;
  const place = placeOfAttempt(snapshot, work.firstItem);
  if (place === undefined)
    throw new Error('Internal fault: the run does not contain one of its sessions.');
  const { target, sessionIndex } = place;
  const session = newJourneySession(work.groupId, snapshot, place);
  const begun = await retryWhileDatabaseIsAway(
    () => database.tenant(tenant, (sql) => beginSession(sql, work, session)),
    signal,
  );
  if (begun === undefined) throw new LeaseLost('Another worker took over this session.');
  const spending = new SessionSpending(dependencies, work, begun, snapshot.prices);
  const beat = setInterval(() => void beatQuietly(dependencies, work), heartbeatEveryMs);
  try {
    if (await isOutOfCredits(dependencies, work)) {
      await end(dependencies, run, work, { spending, signal }, 'spend_cap_exceeded');
      return;
    }
    const opened = run.target(target);
    const played = await playSession(
      { ...opened.dependencies, models: spending.models(run.models.models, 'host_step') },
      {
        snapshot,
        target,
        plan: opened.plan,
        user: userOf(run, spending, sessionIndex),
        async onTurn(progress) {
          const shown = storedProgress(progress, run.secrets);
          const write = () =>
            database.tenant(tenant, async (sql) => {
              const isTaken = await writeTurn(sql, held, begun.sessionId, shown);
              return isTaken ? spending.settle(sql) : undefined;
            });
          const settled = await retryWhileDatabaseIsAway(write, signal);
          if (settled === undefined) {
            throw new LeaseLost('Another worker took over this session.');
          }
          settled.kept();
        },
      },
      signal,
    );
    await end(dependencies, run, work, { spending, signal }, played);
  } finally {
    clearInterval(beat);
    // Writes the cost of model calls that no turn and no session end has written yet.
    await spending.payAlone();
  }
}

const heartbeatEveryMs = 10_000;

function userOf(
  { snapshot, models }: OpenJourneyRun,
  spending: SessionSpending,
  sessionIndex: number,
): SimulatedUser {
  const { personaModel } = snapshot;
  if (personaModel === scriptedUserId) return scriptedUser(snapshot, sessionIndex);
  const paying = spending.models(models.models, 'persona_turn');
  return hostedUser(paying, snapshot, () => models.modelOf({ model: personaModel }));
}

interface Played {
  readonly spending: SessionSpending;
  readonly signal: AbortSignal;
}

async function end(
  dependencies: WorkerDependencies,
  { snapshot, secrets }: OpenJourneyRun,
  work: ClaimedWork,
  { spending, signal }: Played,
  ended: SessionRecord | AttemptErrorCode,
): Promise<void> {
  await prepareToEvaluate(snapshot.rubric.map(({ predicate }) => predicate));
  const sessionEnd =
    typeof ended === 'string'
      ? unplayed(ended, snapshot)
      : toEnd(dependencies, snapshot, secrets, ended);
  const write = () =>
    dependencies.database.tenant([work.organizationId], (sql) =>
      endOfSession(sql, work, { snapshot, end: sessionEnd }, () => spending.settle(sql)),
    );
  const settled = await retryWhileDatabaseIsAway(write, signal);
  if (settled === undefined) throw new LeaseLost('Another worker took over this session.');
  settled.kept();
}

/**
 * Stores a session as failed after the maximum number of starts, so that no worker plays it again.
 */
async function giveUp(
  { database }: WorkerDependencies,
  work: ClaimedWork,
  { signal }: WorkAttempt,
): Promise<void> {
  const write = () =>
    database.tenant([work.organizationId], async (sql) => {
      const snapshot = await findJourneySnapshot(sql, work.groupId);
      const end = unplayed('runner_failed', snapshot);
      return endOfSession(sql, work, { snapshot, end }, async () => undefined);
    });
  await retryWhileDatabaseIsAway(write, signal);
}

function unplayed(
  errorCode: AttemptErrorCode,
  snapshot: JourneySnapshot | undefined,
): SessionToEnd {
  const stopped = {
    seen: unseen(errorCode),
    end: { kind: 'notPlayed', errorCode } as const,
  };
  return {
    status: attemptEnds[errorCode].status,
    errorCode,
    endReason: null,
    isGraded: false,
    chain: chainOfUngraded(stopped, snapshot),
  };
}

/**
 * Evaluates the criteria on unredacted data, and redacts only then. Redacted data could give other
 * results.
 */
function toEnd(
  dependencies: WorkerDependencies,
  { rubric, judge }: JourneySnapshot,
  secrets: TraceSecrets,
  record: SessionRecord,
): SessionToEnd {
  const { errorCode, transcriptHash } = record;
  const isGraded = errorCode === null && rubric.length > 0;
  const measured = isGraded ? measure(dependencies, rubric, record) : undefined;
  const toolSurface = secrets.redactQuotes(record.toolSurface, quotesOfSurface);
  const { end } = record.evidence;
  const evidence = {
    ...storedEvidence(record.evidence, secrets),
    ...(measured && { measured: secrets.redactQuotes(measured, quotesOfCriteria) }),
  };
  const refusedCalls = secrets.redactQuotes(record.refusedCalls, quotesOfRefusals);
  const cause = end.kind === 'notPlayed' ? end.cause : undefined;
  return {
    status: errorCode === null ? 'succeeded' : attemptEnds[errorCode].status,
    errorCode,
    ...(cause && { cause }),
    endReason: end.kind === 'notPlayed' ? null : end.kind,
    shown: { ...storedProgress(record, secrets), transcriptHash, evidence, toolSurface },
    refusedCalls,
    chain: isGraded ? null : chainOfUngraded(evidence, { rubric, judge }),
    isGraded,
  };
}

/**
 * Returns undefined after an error in Proofmark. The grader then reports this error, and the
 * conversation is not played again.
 */
function measure(
  { patterns, log }: WorkerDependencies,
  rubric: JourneySnapshot['rubric'],
  { evidence }: SessionRecord,
): MeasuredRubric | undefined {
  try {
    return measureRubric(rubric, evidence, {
      patterns,
      schemas: boundedSchemas,
      countTokens: loadedTokenCounter(),
    });
  } catch (error) {
    log.error({ err: error }, 'Proofmark could not measure the criteria of a session');
    return undefined;
  }
}

const quotesOfCriteria = new Set(['reason']);
const quotesOfSurface = new Set(['text']);
const quotesOfRefusals = new Set(['toolName']);

/**
 * Returns whether the organization has spent its daily credits. Reserved credits do not count,
 * because they may be released. Even sessions with free models are refused when the credits are
 * spent.
 */
async function isOutOfCredits(
  { database, runLimits: { creditsPerDay } }: WorkerDependencies,
  { organizationId }: ClaimedWork,
): Promise<boolean> {
  if (creditsPerDay === null) return false;
  const spent = await database.tenant([organizationId], (sql) =>
    readSpentToday(sql, organizationId),
  );
  return spent >= creditsPerDay;
}

/**
 * Writes the heartbeat of the run. A failed write is ignored, because one missing heartbeat has no
 * effect.
 */
async function beatQuietly(
  { database }: WorkerDependencies,
  { organizationId, groupId }: ClaimedWork,
): Promise<void> {
  await database
    .tenant([organizationId], (sql) => beatJourneyRun(sql, groupId))
    .catch(() => undefined);
}
