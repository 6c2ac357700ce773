/**
 * Records the requests of one trial to models and servers with their responses, without changing
 * them. Requests are ordered by their start, because that order is the same each time, even for
 * concurrent ones. Until the trial ends, only references to existing objects are stored.
 */
import { canonicalJson, type Json, type TaskTrace, withoutQueryOfUrl } from '@proofmark/domain';
import { McpFailure } from '../../outside/mcp/mcp-failure.ts';
import type { McpSession } from '../../outside/mcp/mcp-gateway.ts';
import { ModelFailure } from '../../outside/model/model-failure.ts';
import type { ModelGateway } from '../../outside/model/model-gateway.ts';
import type { OwnScorers } from '../../outside/scorers/own-scorers.ts';
import type {
  OnTrialRequest,
  OpenedServers,
  OpenOptions,
  RunServers,
  TrialServers,
} from '../run-servers.ts';
import type { TrialDependencies } from '../trial-dependencies.ts';
import type { ExchangeDraft, ScorerDraft, ServerDraft } from './exchange-records.ts';
import { recordedSession } from './recorded-session.ts';

type Models = Pick<ModelGateway, 'generate'>;
type OnEvent = NonNullable<OpenOptions['onServerEvent']>;

export class TrialRecorder {
  readonly #nameOf: ReadonlyMap<string, string>;
  readonly #elapsedMs: () => number;
  readonly #drafts: ExchangeDraft[] = [];
  readonly #times = new Map<string, number>();
  /**
   * By server: why its session was reopened. The entry is removed at the next request in the new
   * session.
   */
  readonly #reopened = new Map<string, string>();
  #opened: OpenedServers | undefined;
  #isOpening = false;

  constructor(
    servers: readonly { readonly id: string; readonly name: string }[],
    elapsedMs: () => number,
  ) {
    this.#nameOf = new Map(servers.map(({ id, name }) => [id, name]));
    this.#elapsedMs = elapsedMs;
  }

  around(dependencies: TrialDependencies): TrialDependencies {
    const { servers, models, judgeModels, scorers } = dependencies;
    return {
      ...dependencies,
      servers: this.#servers(servers),
      models: this.#models(models, 'trial'),
      judgeModels: this.#models(judgeModels ?? models, 'judge'),
      ...(scorers && { scorers: this.#scorers(scorers) }),
    };
  }

  get opened(): OpenedServers | undefined {
    return this.#opened;
  }

  /** By server: the first line of output that was no protocol message. */
  readonly noises = new Map<string, string>();

  get unanswered(): readonly string[] {
    return this.#isOpening ? [...this.#nameOf.values()] : [];
  }

  get drafts(): readonly ExchangeDraft[] {
    return this.#drafts;
  }

  #models(models: Models, by: 'trial' | 'judge'): Models {
    return {
      generate: async (model, request, options) => {
        const draft: ExchangeDraft = { kind: 'model', by, model, request };
        this.#drafts.push(draft);
        const startedMs = this.#elapsedMs();
        try {
          const answer = await models.generate(model, request, options);
          draft.answer = answer;
          return answer;
        } catch (error) {
          if (error instanceof ModelFailure) draft.error = error;
          throw error;
        } finally {
          draft.durationMs = this.#elapsedMs() - startedMs;
        }
      },
    };
  }

  #scorers(scorers: OwnScorers): OwnScorers {
    return {
      ask: async (scorer, conversation, signal) => {
        const draft: ScorerDraft = { kind: 'scorer', url: scorer.url, conversation };
        this.#drafts.push(draft);
        const startedMs = this.#elapsedMs();
        draft.answer = await scorers.ask(scorer, conversation, signal);
        draft.durationMs = this.#elapsedMs() - startedMs;
        return draft.answer;
      },
    };
  }

  #servers(servers: RunServers): RunServers {
    return {
      forTrial: async (signal, time) => this.#trialServers(await servers.forTrial(signal, time)),
      listAgain: (...asked) => servers.listAgain(...asked),
      close: () => servers.close(),
    };
  }

  #trialServers(own: TrialServers): TrialServers {
    return {
      open: async (signal, options = {}) => {
        const { onServerRequest, onServerEvent } = options;
        this.#isOpening = true;
        const opened = await own.open(signal, {
          ...options,
          ...(onServerEvent && { onServerEvent: this.#recordingEvents(onServerEvent) }),
          ...(onServerRequest && { onServerRequest: this.#answering(onServerRequest) }),
        });
        this.#isOpening = false;
        this.#opened = opened;
        return opened;
      },
      callTool: async (serverId, toolName, input, signal, onWaiting, mayRepeat, onTask) => {
        const draft = this.#beginOfServer('call', serverId, toolName, input);
        const keepTask = (trace: TaskTrace) => {
          draft.task = trace;
          onTask?.(trace);
        };
        return this.#during(draft, async () => {
          const outcome = await own.callTool(
            ...[serverId, toolName, input, signal, onWaiting, mayRepeat],
            keepTask,
          );
          draft.answer = outcome;
          return outcome;
        });
      },
      ask: (serverId, work, ...others) => {
        // If a server asks to wait, the request is repeated, and only the last attempt is recorded.
        let made: ServerDraft[] = [];
        const asking = (session: McpSession) => {
          for (const draft of made) draft.isDropped = true;
          made = [];
          return work(
            recordedSession(session, (method, parameters, answer) => {
              const draft = this.#beginOfServer('ask', serverId, method, parameters);
              made.push(draft);
              return this.#during(draft, async () => {
                const result = await answer();
                draft.answer = result;
                return result;
              });
            }),
          );
        };
        return own.ask(serverId, asking, ...others);
      },
      heldBack: () => own.heldBack(),
      close: () => own.close(),
    };
  }

  #recordingEvents(onEvent: OnEvent): OnEvent {
    return (serverName, event) => {
      if ('noise' in event && !this.noises.has(serverName)) {
        this.noises.set(serverName, event.noise);
      }
      if ('reopenedAfter' in event) {
        const { reopenedAfter } = event;
        const current = this.#drafts.findLast((one) => isUnderWay(one, serverName));
        if (current !== undefined && 'input' in current) current.reopenedAfter = reopenedAfter;
        else this.#reopened.set(serverName, reopenedAfter);
      }
      onEvent(serverName, event);
    };
  }

  #answering(answer: OnTrialRequest): OnTrialRequest {
    return async (method, parameters, signal, serverId) => {
      const draft: ExchangeDraft = {
        kind: method === 'sampling/createMessage' ? 'sampling' : 'elicitation',
        serverName: this.#name(serverId),
        request: withoutQueryOfUrl(parameters),
        during: this.#drafts.findLast((one) => isUnderWay(one, this.#name(serverId))),
      };
      this.#drafts.push(draft);
      return this.#during(draft, async () => {
        const given = await answer(method, parameters, signal, serverId);
        draft.answer = given;
        return given;
      });
    };
  }

  #beginOfServer(kind: 'call' | 'ask', serverId: string, what: string, input: Json): ServerDraft {
    const serverName = this.#name(serverId);
    const key = canonicalJson([kind, serverName, what, input]);
    const nth = (this.#times.get(key) ?? 0) + 1;
    this.#times.set(key, nth);
    const reopenedAfter = this.#reopened.get(serverName);
    this.#reopened.delete(serverName);
    const draft: ServerDraft = {
      kind,
      serverName,
      what,
      input,
      nth,
      ...(reopenedAfter !== undefined && { reopenedAfter }),
    };
    this.#drafts.push(draft);
    return draft;
  }

  async #during<Result>(
    draft: Exclude<ExchangeDraft, { kind: 'model' | 'scorer' }>,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const startedMs = this.#elapsedMs();
    try {
      return await work();
    } catch (error) {
      // An error that stopped the whole trial is no response, so it is not recorded.
      const isRefusal = draft.kind === 'sampling' || draft.kind === 'elicitation';
      if (error instanceof McpFailure || (isRefusal && error instanceof Error)) draft.error = error;
      throw error;
    } finally {
      draft.durationMs = this.#elapsedMs() - startedMs;
    }
  }

  #name(serverId: string): string {
    return this.#nameOf.get(serverId) ?? serverId;
  }
}

function isUnderWay(draft: ExchangeDraft, serverName: string): boolean {
  return draft.kind === 'call' && draft.serverName === serverName && draft.durationMs === undefined;
}
