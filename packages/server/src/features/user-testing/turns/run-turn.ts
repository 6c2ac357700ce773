/**
 * One turn of a visitor, from its row to what is kept of it. It goes on when nobody listens. It is kept in the transaction
 * that reads again whether its visitor is admitted: of somebody who is not, nothing is.
 */
import {
  accessDenied,
  type Json,
  mayBeStored,
  notFound,
  Refused,
  type SessionEvidence,
  timedCallsOf,
  type VisitLine,
  visitConflicts,
} from '@proofmark/domain';
import type { PlayedTurn } from '../../../conversation/play-turn.ts';
import type { RunServers } from '../../../conversation/run-servers.ts';
import { storedEvidence, storedProgress } from '../../../conversation/stored-session.ts';
import { TraceSecrets } from '../../../outside/mcp/trace-secrets.ts';
import type { ModelGateway } from '../../../outside/model/model-gateway.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { findSkillTexts } from '../../environments/index.ts';
import { modelsOf } from '../../models/index.ts';
import { insertApproval } from '../store/visitor-approvals.ts';
import { resumeInPlace } from '../store/visitor-turn-slots.ts';
import {
  type CallDuration,
  countTurns,
  dropTurn,
  readHistory,
  storeTurn,
  type TurnToStore,
  writeLines,
} from '../store/visitor-turns.ts';
import { readVisit } from '../store/visits.ts';
import type { TurnToRun } from '../visit/turn-runner.ts';
import { listedNow } from './listed-now.ts';
import { playVisitorTurn } from './play-visitor-turn.ts';
import { shownToVisitor } from './shown-result.ts';
import { type TurnBeats, TurnStopped } from './turn-beats.ts';
import type { TurnDependencies } from './turn-dependencies.ts';
import { TurnLines } from './turn-lines.ts';
import { turnModels } from './turn-models.ts';
import { type ErrorLine, errorOf, leftOutNote } from './turn-words.ts';
import { WatchedTurn } from './watch-turn.ts';

export async function runTurn(
  dependencies: TurnDependencies,
  beats: TurnBeats,
  turn: TurnToRun,
  send: (line: VisitLine) => void,
): Promise<void> {
  const secrets = new TraceSecrets();
  const lines = new TurnLines(send, secrets);
  const stopping = new AbortController();
  const leave = beats.keep({
    id: turn.id,
    organizationId: turn.organizationId,
    stop: (why) => stopping.abort(new TurnStopped(why)),
  });
  try {
    await new RunningTurn(dependencies, beats, turn, lines, secrets).run(stopping.signal);
  } finally {
    leave();
  }
}

class RunningTurn {
  readonly #dependencies: TurnDependencies;
  readonly #beats: TurnBeats;
  readonly #turn: TurnToRun;
  readonly #lines: TurnLines;
  readonly #secrets: TraceSecrets;
  readonly #saidAt = Date.now();

  constructor(
    dependencies: TurnDependencies,
    beats: TurnBeats,
    turn: TurnToRun,
    lines: TurnLines,
    secrets: TraceSecrets,
  ) {
    this.#dependencies = dependencies;
    this.#beats = beats;
    this.#turn = turn;
    this.#lines = lines;
    this.#secrets = secrets;
  }

  async run(signal: AbortSignal): Promise<void> {
    this.#lines.note({ type: 'turn_start', turnId: this.#turn.id });
    let watched: WatchedTurn | undefined;
    let played: PlayedTurn | undefined;
    try {
      played = await this.#play(signal, (one) => {
        watched = one;
      });
    } catch (error) {
      const { log } = this.#dependencies;
      log.error({ err: error, turnId: this.#turn.id }, 'a turn of a visitor failed by our fault');
    }
    const stop = signal.reason instanceof TurnStopped ? signal.reason.why : undefined;
    if (stop === 'closed' || stop === 'gone') return this.#drop(new Refused(accessDenied));
    // What was refused before anything was shown is no turn.
    if (played?.refused !== undefined && !this.#lines.isOpen) return this.#drop(played.refused);
    await this.#keep(played, watched, stop === 'stopped');
  }

  async #play(signal: AbortSignal, watch: (watched: WatchedTurn) => void): Promise<PlayedTurn> {
    const { database } = this.#dependencies;
    const { organizationId, projectId, played, guest } = this.#turn;
    // Skills of the project are the owner's, who may keep them from strangers.
    const skills = guest !== undefined && !guest.sharedSkills ? [] : played.skills;
    const { history, saved, skillTexts } = await database.tenant([organizationId], async (sql) => ({
      history: await readHistory(sql, this.#turn),
      saved: (await modelsOf(sql, this.#dependencies, organizationId)).saved,
      skillTexts: await findSkillTexts(
        sql,
        projectId,
        skills.map(({ skillVersionId }) => skillVersionId),
      ),
    }));
    const { id, configId, config } = played.client;
    return playVisitorTurn(
      { ...this.#dependencies, stdioAddressOf: noPrograms },
      {
        place: { organizationId, projectId },
        servers: played.servers,
        skills,
        skillTexts,
        client: { id, configId, config },
        modelId: played.client.modelId,
        history,
        text: this.#turn.text,
        providers: saved,
        secrets: this.#secrets,
        listsAgain: config.requireToolApproval === true,
        mayOffer: (tool) => guest?.onlyReads !== true || onlyReads(tool),
        leftOut: ({ name, needsOAuth }) =>
          this.#lines.note({ type: 'note', text: leftOutNote(name, needsOAuth) }),
        watch: (servers) => {
          const watched = this.#watch(servers);
          watch(watched);
          return watched;
        },
        models: (models) => this.#whileItGoesOn(this.#payingModels(models)),
      },
      signal,
    );
  }

  #watch(servers: RunServers): WatchedTurn {
    const { database, newId } = this.#dependencies;
    const { id, organizationId, scenarioId, grantId, played, placeLimits: limits } = this.#turn;
    const isAnonymous = this.#turn.guest !== undefined;
    return new WatchedTurn({
      database,
      beats: this.#beats,
      lines: this.#lines,
      turn: { id, organizationId },
      asksFirst: () => played.client.config.requireToolApproval === true,
      newApprovalId: () => newId('approval'),
      approvals: {
        insert: insertApproval,
        resume: (sql) => resumeInPlace(sql, { id, scenarioId, grantId, isAnonymous, limits }),
      },
      shown: shownToVisitor,
      listedNow: (...asked) => listedNow(servers, ...asked),
    });
  }

  /** From the first call on that goes out, it is no refusal any more. */
  #payingModels(models: ModelGateway): Pick<ModelGateway, 'generate'> {
    const paying = turnModels(models, this.#dependencies, this.#turn);
    return {
      generate: (model, request, options) =>
        paying.generate(model, request, {
          ...options,
          onSent: (isSent) => {
            if (isSent) this.#lines.open();
            options.onSent?.(isSent);
          },
        }),
    };
  }

  /** Nobody is asked for a turn that does not go on, from the moment on in which that is so. */
  #whileItGoesOn(models: Pick<ModelGateway, 'generate'>): Pick<ModelGateway, 'generate'> {
    return {
      generate: async (model, request, options) => {
        await this.#beats.lookAt(this.#turn.id);
        options.signal?.throwIfAborted();
        return models.generate(model, request, options);
      },
    };
  }

  async #drop(reason: Refused): Promise<void> {
    const { id, organizationId } = this.#turn;
    const became = await this.#dependencies.database.tenant([organizationId], (sql) =>
      dropTurn(sql, id),
    );
    const refused = became === 'dropped' ? reason : new Refused(goneBy[became]);
    if (!this.#lines.isOpen) throw refused;
    const { code, message, details } = refused.refusal;
    this.#lines.say({ type: 'error', code, message, ...(details && { details }) });
  }

  async #keep(
    played: PlayedTurn | undefined,
    watched: WatchedTurn | undefined,
    isStopped: boolean,
  ): Promise<void> {
    const error = isStopped ? undefined : errorOf(played);
    if (isStopped) this.#lines.say({ type: 'note', text: 'Stopped.' });
    if (played?.end.kind === 'completed' && played.end.note !== undefined)
      this.#lines.note({ type: 'note', text: played.end.note });
    const toStore = this.#toStore(played, watched, error, isStopped);
    const isOAuth = played?.end.kind === 'failed' && played.end.cause === 'oauth_required';
    const kept = await this.#dependencies.database.tenant([this.#turn.organizationId], (sql) =>
      this.#store(sql, toStore, error, isOAuth),
    );
    if (kept === undefined) return this.#drop(new Refused(accessDenied));
    this.#lines.say(kept);
  }

  /** The last line; nothing where it may not be kept. */
  async #store(
    sql: Sql,
    toStore: TurnToStore,
    error: VisitLine | undefined,
    authInterrupted: boolean,
  ): Promise<VisitLine | undefined> {
    const { id, scenarioId, sessionId, identity, grantId, played } = this.#turn;
    const visit = await readVisit(sql, { scenarioId }, identity);
    if (visit === undefined || !mayBeStored(visit.facts)) return undefined;
    if (visit.grant?.id !== grantId || !(await storeTurn(sql, this.#turn, toStore)))
      return undefined;
    const messageCount = await countTurns(sql, sessionId, {
      environmentId: played.environmentId,
      modelId: played.client.modelId,
      authInterrupted,
    });
    const last = error ?? { type: 'turn_finish', messageCount };
    await writeLines(sql, id, [...this.#lines.sent, this.#secrets.redact(last)]);
    return last;
  }

  #toStore(
    played: PlayedTurn | undefined,
    watched: WatchedTurn | undefined,
    error: ErrorLine | undefined,
    isStopped: boolean,
  ): TurnToStore {
    const said = { role: 'user', text: this.#turn.text, createdAt: this.#saidAt } as const;
    const { code, message } = error ?? {};
    const evidence = played && storedEvidence(played.record.evidence, this.#secrets);
    const trace = played && storedProgress(played.record, this.#secrets).trace;
    return {
      status: isStopped ? 'stopped' : error === undefined ? 'completed' : 'failed',
      error: code === undefined || message === undefined ? null : { code, message },
      messages: this.#secrets.redact([said, ...(watched?.messages ?? [])]),
      evidence: evidence ?? null,
      usage: played?.record.usage ?? null,
      callDurations: evidence === undefined ? [] : callsIn(evidence, trace),
      trace: trace ?? null,
    };
  }
}

/** By the rule that metrics count by, so that no list tells another number. */
function callsIn(evidence: SessionEvidence, trace: Json | undefined): CallDuration[] {
  const spans = trace?.['spans'];
  return timedCallsOf(evidence, Array.isArray(spans) ? spans : []).map(
    ({ toolName, serverName = null, durationMs = null, hasFailed }) => ({
      toolName,
      serverName,
      durationMs,
      isError: hasFailed,
    }),
  );
}

const goneBy = { interrupted: visitConflicts.turnInterrupted, gone: notFound } as const;

/** Programs of the host are not driven by strangers, whatever the environment names. */
const noPrograms = () => undefined;

function onlyReads({ annotations }: Readonly<Record<string, unknown>>): boolean {
  return (annotations as { readOnlyHint?: unknown } | null | undefined)?.readOnlyHint === true;
}
