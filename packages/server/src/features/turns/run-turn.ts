/** The turn continues even if its client has disconnected. */
import { Refused, type TextPiece, type VisitLine, visitBounds } from '@proofmark/domain';
import type { PlayedTurn } from '../../conversation/play-turn.ts';
import type { RunServers } from '../../conversation/run-servers.ts';
import { TraceSecrets } from '../../outside/mcp/trace-secrets.ts';
import type { ModelGateway } from '../../outside/model/model-gateway.ts';
import type { Sql } from '../../platform/database/database.ts';
import { findSkillTexts } from '../environments/index.ts';
import { modelsOf } from '../models/index.ts';
import { openAndPlayTurn } from './open-and-play-turn.ts';
import type { PersonTurn } from './person-turn.ts';
import { type TurnBeats, TurnStopped } from './turn-beats.ts';
import type { TurnDependencies } from './turn-dependencies.ts';
import { errorOfTurn } from './turn-errors.ts';
import { TurnLines } from './turn-lines.ts';
import { WatchedTurn } from './watch-turn.ts';

/** The receiver of a turn's lines, such as the response to the person. */
export interface TurnListener {
  line(line: VisitLine, all: readonly VisitLine[]): void;
  /**
   * Receives parts of an answer while the model writes it. Without this function, answers are shown
   * only when complete.
   */
  piece?(piece: TextPiece): void;
}

export async function runTurn(
  dependencies: TurnDependencies,
  beats: TurnBeats,
  turn: PersonTurn,
  listener: TurnListener,
): Promise<void> {
  const stopping = new AbortController();
  const leave = beats.keep({
    id: turn.id,
    organizationId: turn.organizationId,
    stop: (why) => stopping.abort(new TurnStopped(why)),
  });
  try {
    await new RunningTurn(dependencies, beats, turn, listener).run(stopping.signal);
  } finally {
    leave();
  }
}

class RunningTurn {
  readonly #dependencies: TurnDependencies;
  readonly #beats: TurnBeats;
  readonly #turn: PersonTurn;
  readonly #secrets = new TraceSecrets();
  readonly #lines: TurnLines;
  readonly #saidAt = Date.now();
  #watched: WatchedTurn | undefined;

  constructor(
    dependencies: TurnDependencies,
    beats: TurnBeats,
    turn: PersonTurn,
    listener: TurnListener,
  ) {
    this.#dependencies = dependencies;
    this.#beats = beats;
    this.#turn = turn;
    this.#lines = new TurnLines(
      (line) => listener.line(line, this.#lines.sent),
      this.#secrets,
      listener.piece?.bind(listener),
    );
  }

  async run(signal: AbortSignal): Promise<void> {
    this.#lines.add({ type: 'turn_start', turnId: this.#turn.id });
    let played: PlayedTurn | undefined;
    try {
      played = await this.#play(signal);
    } catch (error) {
      const { log } = this.#dependencies;
      log.error(
        { err: error, turnId: this.#turn.id },
        `${this.#turn.name} failed because of Proofmark`,
      );
    }
    const stop = signal.reason instanceof TurnStopped ? signal.reason.why : undefined;
    if (stop === 'closed' || stop === 'gone') return this.#drop(new Refused(this.#turn.closed));
    // The turn was refused before its first line was sent. Its row is removed, and the refusal
    // becomes an error response.
    if (played?.refused !== undefined && !this.#lines.isOpen) return this.#drop(played.refused);
    await this.#store(played, stop === 'stopped');
  }

  async #play(signal: AbortSignal): Promise<PlayedTurn> {
    const turn = this.#turn;
    const { organizationId, projectId, skills } = turn;
    const { history, providers, skillTexts } = await this.#inTenant(async (sql) => ({
      history: await turn.history(sql),
      providers: (await modelsOf(sql, this.#dependencies, organizationId)).saved,
      skillTexts: await findSkillTexts(
        sql,
        projectId,
        skills.map(({ skillVersionId }) => skillVersionId),
      ),
    }));
    return openAndPlayTurn(
      { ...this.#dependencies, stdioAddressOf: (id) => turn.stdioAddressOf(id) },
      {
        place: { organizationId, projectId },
        client: turn.client,
        servers: turn.servers,
        skills,
        skillTexts,
        modelId: turn.modelId,
        text: turn.text,
        history,
        providers,
        secrets: this.#secrets,
        listsAgain: turn.listsAgain,
        mayOffer: (tool) => turn.mayOffer(tool),
        leftOut: ({ name, needsOAuth }) =>
          this.#lines.add({ type: 'note', text: turn.leftOutNote(name, needsOAuth) }),
        watch: (servers) => {
          this.#watched = this.#watch(servers);
          return this.#watched;
        },
        models: (models) => this.#payingModels(models),
      },
      signal,
    );
  }

  #watch(servers: RunServers): WatchedTurn {
    const turn = this.#turn;
    return new WatchedTurn({
      database: this.#dependencies.database,
      beats: this.#beats,
      lines: this.#lines,
      turn,
      asksFirst: (call) => turn.asksFirst(call),
      newApprovalId: () => this.#dependencies.newId('approval'),
      approvals: turn.approvals,
      shown: (output) => turn.shown(output),
      listedNow: (...asked) => listedNow(servers, ...asked),
    });
  }

  /**
   * Returns models that check before each call whether the turn was stopped. Once a request is
   * sent, the buffered lines are sent too. Later errors then become lines of the turn, not an error
   * response.
   */
  #payingModels(models: ModelGateway): Pick<ModelGateway, 'generate'> {
    const paying = this.#turn.paying(models);
    return {
      generate: async (model, request, options) => {
        await this.#beats.lookAt(this.#turn.id);
        options.signal?.throwIfAborted();
        const onSent = (isSent: boolean) => {
          if (isSent) this.#lines.open();
          options.onSent?.(isSent);
        };
        return paying.generate(model, request, { ...options, onSent });
      },
    };
  }

  async #drop(reason: Refused): Promise<void> {
    const other = await this.#inTenant((sql) => this.#turn.drop(sql));
    const refused = other === undefined ? reason : new Refused(other);
    if (!this.#lines.isOpen) throw refused;
    const { code, message, details } = refused.refusal;
    this.#lines.openAndAdd({ type: 'error', code, message, ...(details && { details }) });
  }

  async #store(played: PlayedTurn | undefined, isStopped: boolean): Promise<void> {
    const error = isStopped ? undefined : errorOfTurn(played, this.#turn.errors);
    if (isStopped) {
      this.#watched?.stopped();
      this.#lines.openAndAdd({ type: 'note', text: 'Stopped.' });
    }
    if (played?.end.kind === 'completed' && played.end.note !== undefined)
      this.#lines.add({ type: 'note', text: played.end.note });
    const userMessage = { role: 'user', text: this.#turn.text, createdAt: this.#saidAt } as const;
    const messages = this.#secrets.redact([userMessage, ...(this.#watched?.messages ?? [])]);
    const last = await this.#inTenant((sql) =>
      this.#turn.store(sql, {
        status: isStopped ? 'stopped' : error === undefined ? 'completed' : 'failed',
        error,
        messages,
        record: played?.record,
        isOAuthMissing: played?.end.kind === 'failed' && played.end.cause === 'oauth_required',
        secrets: this.#secrets,
        linesWith: (line) => [...this.#lines.sent, this.#secrets.redact(line)],
      }),
    );
    if (last === undefined) return this.#drop(new Refused(this.#turn.notStored));
    this.#lines.openAndAdd(last);
  }

  #inTenant<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return this.#dependencies.database.tenant([this.#turn.organizationId], work);
  }
}

async function listedNow(
  servers: RunServers,
  serverId: string,
  toolName: string,
  signal: AbortSignal,
): Promise<unknown> {
  const endsAtMs = performance.now() + visitBounds.turnMs;
  const time = { remainingMs: () => endsAtMs - performance.now() };
  const tools = await servers.listAgain(serverId, signal, time);
  return tools.find(({ name }) => name === toolName);
}
