/** One turn of a person in the playground, from its row to what is kept of it. It goes on when nobody listens. */
import {
  isHeldForWriting,
  notFound,
  Refused,
  type TextPiece,
  titleOfChat,
  type VisitLine,
  visitConflicts,
  withoutSecretShapes,
} from '@proofmark/domain';
import type { PlayedTurn } from '../../../conversation/play-turn.ts';
import type { RunServers } from '../../../conversation/run-servers.ts';
import { storedProgress } from '../../../conversation/stored-session.ts';
import { TraceSecrets } from '../../../outside/mcp/trace-secrets.ts';
import type { ModelGateway } from '../../../outside/model/model-gateway.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { payingModels } from '../../../platform/spending/paying-models.ts';
import { findSkillTexts } from '../../environments/index.ts';
import { modelsOf } from '../../models/index.ts';
import {
  listedNow,
  playVisitorTurn,
  type TurnBeats,
  type TurnDependencies,
  TurnLines,
  TurnStopped,
  WatchedTurn,
} from '../../user-testing/index.ts';
import type { ChatTurnToRun } from '../operations/chat-turn-to-run.ts';
import {
  askForChatCall,
  dropChatTurn,
  readChatHistory,
  resumeChatTurn,
  storeChatTurn,
  writeChatLines,
} from '../store/chat-turns.ts';
import { errorOfChat, leftOutOfChat, shownToMember } from './chat-errors.ts';

export async function runChatTurn(
  dependencies: TurnDependencies,
  beats: TurnBeats,
  turn: ChatTurnToRun,
  send: (line: VisitLine | TextPiece) => void,
): Promise<void> {
  const stopping = new AbortController();
  const leave = beats.keep({
    id: turn.id,
    organizationId: turn.organizationId,
    stop: (why) => stopping.abort(new TurnStopped(why)),
  });
  try {
    await new RunningChatTurn(dependencies, beats, turn, send).run(stopping.signal);
  } finally {
    leave();
  }
}

class RunningChatTurn {
  readonly #dependencies: TurnDependencies;
  readonly #beats: TurnBeats;
  readonly #turn: ChatTurnToRun;
  readonly #secrets = new TraceSecrets();
  readonly #lines: TurnLines;
  readonly #saidAt = Date.now();
  #watched: WatchedTurn | undefined;
  /** Lines are written one time after the other, each time all there are. */
  #writing: Promise<void> | undefined;
  #written = 0;

  constructor(
    dependencies: TurnDependencies,
    beats: TurnBeats,
    turn: ChatTurnToRun,
    send: (line: VisitLine | TextPiece) => void,
  ) {
    this.#dependencies = dependencies;
    this.#beats = beats;
    this.#turn = turn;
    const sendLine = (line: VisitLine) => {
      send(line);
      this.#writing ??= this.#writeLines();
    };
    this.#lines = new TurnLines(sendLine, this.#secrets, send);
  }

  async run(signal: AbortSignal): Promise<void> {
    this.#lines.note({ type: 'turn_start', turnId: this.#turn.id });
    let played: PlayedTurn | undefined;
    try {
      played = await this.#play(signal);
    } catch (error) {
      const { log } = this.#dependencies;
      log.error(
        { err: error, turnId: this.#turn.id },
        'a turn of the playground failed by our fault',
      );
    }
    const stop = signal.reason instanceof TurnStopped ? signal.reason.why : undefined;
    if (stop === 'closed' || stop === 'gone') return this.#drop(new Refused(notFound));
    // What was refused before anything was shown is no turn.
    if (played?.refused !== undefined && !this.#lines.isOpen) return this.#drop(played.refused);
    await this.#keep(played, stop === 'stopped');
  }

  async #play(signal: AbortSignal): Promise<PlayedTurn> {
    const { organizationId, projectId, played, text, modelId, earlierIds } = this.#turn;
    const { client, servers, skills } = played;
    const { history, providers, skillTexts } = await this.#inTenant(async (sql) => ({
      history: await readChatHistory(sql, earlierIds),
      providers: (await modelsOf(sql, this.#dependencies, organizationId)).saved,
      skillTexts: await findSkillTexts(
        sql,
        projectId,
        skills.map(({ skillVersionId }) => skillVersionId),
      ),
    }));
    return playVisitorTurn(
      { ...this.#dependencies, stdioAddressOf: (id) => this.#turn.stdioAddressOf(id) },
      {
        place: { organizationId, projectId },
        client,
        servers,
        skills,
        skillTexts,
        modelId,
        text,
        history,
        providers,
        secrets: this.#secrets,
        mayOffer: () => true,
        listsAgain: true,
        leftOut: ({ name, needsOAuth }) =>
          this.#lines.note({ type: 'note', text: leftOutOfChat(name, needsOAuth) }),
        watch: (running) => {
          this.#watched = this.#watch(running);
          return this.#watched;
        },
        models: (models) => this.#payingModels(models),
      },
      signal,
    );
  }

  #watch(servers: RunServers): WatchedTurn {
    const { database, newId } = this.#dependencies;
    const { id, organizationId, played } = this.#turn;
    return new WatchedTurn({
      database,
      beats: this.#beats,
      lines: this.#lines,
      turn: { id, organizationId },
      asksFirst: ({ offered: { toolName, tool } }) =>
        played.client.config.requireToolApproval === true ||
        isHeldForWriting({ ...tool, name: toolName }),
      newApprovalId: () => newId('approval'),
      approvals: { insert: askForChatCall, resume: resumeChatTurn },
      shown: shownToMember,
      listedNow: (...asked) => listedNow(servers, ...asked),
    });
  }

  /** A turn that does not go on asks nobody; from the first call on that goes out, it is no refusal any more. */
  #payingModels(models: ModelGateway): Pick<ModelGateway, 'generate'> {
    const { id, organizationId, projectId, creditsPerDay } = this.#turn;
    const paying = payingModels(models, {
      database: this.#dependencies.database,
      place: { organizationId, projectId },
      kind: 'chat_turn',
      ref: id,
      creditsPerDay,
    });
    return {
      generate: async (model, request, options) => {
        await this.#beats.lookAt(id);
        options.signal?.throwIfAborted();
        const onSent = (isSent: boolean) => {
          if (isSent) this.#lines.open();
          options.onSent?.(isSent);
        };
        return paying.generate(model, request, { ...options, onSent });
      },
    };
  }

  async #writeLines(): Promise<void> {
    while (this.#written < this.#lines.sent.length) {
      const lines = [...this.#lines.sent];
      this.#written = lines.length;
      // Whoever opens the page meanwhile sees less; all of it is stored at the end.
      await this.#inTenant((sql) => writeChatLines(sql, this.#turn.id, lines)).catch(
        () => undefined,
      );
    }
    this.#writing = undefined;
  }

  async #drop(reason: Refused): Promise<void> {
    await this.#inTenant((sql) => dropChatTurn(sql, this.#turn.id));
    if (!this.#lines.isOpen) throw reason;
    const { code, message, details } = reason.refusal;
    this.#lines.say({ type: 'error', code, message, ...(details && { details }) });
  }

  async #keep(played: PlayedTurn | undefined, isStopped: boolean): Promise<void> {
    const error = isStopped ? undefined : errorOfChat(played);
    if (isStopped) {
      this.#watched?.stopped();
      this.#lines.say({ type: 'note', text: 'Stopped.' });
    }
    if (played?.end.kind === 'completed' && played.end.note !== undefined)
      this.#lines.note({ type: 'note', text: played.end.note });
    const text = this.#secrets.redact(this.#turn.text);
    const said = { role: 'user', text, createdAt: this.#saidAt } as const;
    const messages = [said, ...(this.#watched?.messages ?? [])];
    const last: VisitLine = error ?? { type: 'turn_finish', messageCount: messages.length };
    const isKept = await this.#inTenant((sql) =>
      storeChatTurn(sql, this.#turn, {
        status: isStopped ? 'stopped' : error === undefined ? 'completed' : 'failed',
        messages: this.#secrets.redact(messages),
        lines: [...this.#lines.sent, this.#secrets.redact(last)],
        trace: (played && storedProgress(played.record, this.#secrets).trace) ?? null,
        usage: played?.record.usage ?? null,
        preview: withoutSecretShapes(text).slice(0, longestPreview).toWellFormed(),
        title: titleOfChat(text),
      }),
    );
    if (isKept) return this.#lines.say(last);
    return this.#drop(new Refused(visitConflicts.turnInterrupted));
  }

  #inTenant<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return this.#dependencies.database.tenant([this.#turn.organizationId], work);
  }
}

const longestPreview = 200;
