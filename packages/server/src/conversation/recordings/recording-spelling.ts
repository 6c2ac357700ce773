import {
  canonicalJson,
  type ExcludedTool,
  findSecrets,
  isRecord,
  type Json,
  type ModelExchange,
  type RecordedRequest,
  type RecordedServer,
  type RecordingExchange,
  RecordingRedactor,
  spellRequest,
  type WholeRequest,
} from '@proofmark/domain';
import { sha256Hex } from '../../kernel/sha256-hex.ts';
import type { ToolOutcome } from '../../outside/mcp/mcp-gateway.ts';
import type {
  ExchangeDraft,
  ModelDraft,
  RequestDraft,
  ScorerDraft,
  ServerDraft,
} from './exchange-records.ts';
import { questionOfScorer } from './question-of-scorer.ts';
import { requestOfModel } from './request-of-model.ts';
import { spellOneRequest, spellTools } from './spelled-requests.ts';
import type { TrialRecorder } from './trial-recorder.ts';

/**
 * Renumbers the call ids in a recording. Providers invent new ids each time, but equal
 * conversations must give equal recordings.
 */
class NumberedCalls {
  readonly #ids = new Map<string, string>();

  number<Call extends { readonly toolCallId: string }>(calls: readonly Call[]): Call[] {
    return calls.map((call) => {
      const known = this.#ids.get(call.toolCallId) ?? `call-${this.#ids.size + 1}`;
      this.#ids.set(call.toolCallId, known);
      return { ...call, toolCallId: known };
    });
  }

  renumber(message: unknown): unknown {
    const content = isRecord(message) ? message['content'] : undefined;
    if (!isRecord(message) || !Array.isArray(content)) return message;
    return { ...message, content: content.map((part) => this.#part(part)) };
  }

  #part(part: unknown): unknown {
    const toolCallId = isRecord(part) ? part['toolCallId'] : undefined;
    const known = typeof toolCallId === 'string' ? this.#ids.get(toolCallId) : undefined;
    return isRecord(part) && known !== undefined ? { ...part, toolCallId: known } : part;
  }
}

export class RecordingSpelling {
  readonly #secrets: readonly string[];
  readonly #redactor: RecordingRedactor;
  readonly #drafts: readonly ExchangeDraft[];
  /** Caches redacted objects, because many requests share them. */
  readonly #known = new Map<unknown, unknown>();
  readonly #texts = new Map<unknown, string>();
  readonly #callIds = new NumberedCalls();
  readonly #earlier: (readonly [number, WholeRequest])[] = [];

  constructor(secrets: readonly string[], drafts: readonly ExchangeDraft[]) {
    this.#secrets = secrets;
    this.#drafts = drafts;
    this.#redactor = new RecordingRedactor(secrets);
  }

  get masked(): readonly string[] {
    return this.#redactor.kinds;
  }

  servers({
    opened,
    unanswered,
    noises,
  }: Pick<TrialRecorder, 'opened' | 'unanswered' | 'noises'>): string {
    if (opened === undefined) {
      const known = { initialize: null, tools: [], unanswered: true } as const;
      const awaited = unanswered.map((serverName): RecordedServer => ({ serverName, ...known }));
      return canonicalJson(awaited);
    }
    const { connect, toolsList } = opened;
    const signals = {
      ...(!connect.ok && { connect }),
      ...(toolsList !== undefined && !toolsList.ok && { toolsList }),
    };
    const spelled = opened.servers.map((opened) => {
      const { name, tools, excludedTools, initInfo, failure, needsOAuth } = opened;
      const server: Omit<RecordedServer, 'tools'> = {
        serverName: name,
        // The instructions of a server may contain a secret, as its responses may.
        initialize: this.#redactor.redact(initInfo ?? null) as RecordedServer['initialize'],
        ...(excludedTools && {
          excludedTools: this.#redactor.redact(excludedTools) as readonly ExcludedTool[],
        }),
        ...(failure !== undefined && { failure: String(this.#redactor.redact(failure)) }),
        ...(needsOAuth && { needsOAuth }),
        ...(noises.has(name) && { noise: String(this.#redactor.redact(noises.get(name))) }),
        ...signals,
      };
      if ('toolsList' in server)
        return canonicalJson({ ...server, tools: this.#describing(tools) });
      // `tools` is the last key in canonical order, so its finished text can be appended.
      return `${canonicalJson(server).slice(0, -1)},"tools":${this.#tools(tools)}}`;
    });
    return `[${spelled.join()}]`;
  }

  exchange(draft: ExchangeDraft): string {
    if (draft.kind === 'model') {
      const { request, ...others } = this.#ofModel(draft);
      // `request` is the last key in canonical order, so its finished text can be appended.
      return `${canonicalJson(others).slice(0, -1)},"request":${this.#spell(request)}}`;
    }
    if (draft.kind === 'scorer') return canonicalJson(this.#ofScorer(draft));
    return canonicalJson('input' in draft ? this.#ofServer(draft) : this.#ofRequest(draft));
  }

  #ofModel(draft: ModelDraft): ModelExchange {
    const { answer, error } = draft;
    const asked = requestOfModel(draft.model, draft.request);
    const whole: WholeRequest = {
      ...asked,
      ...(asked.system !== undefined && { system: this.#redactor.redact(asked.system) }),
      tools: this.#once(asked.tools, (tools) => this.#describing(tools)) as readonly unknown[],
      messages: asked.messages.map((one) =>
        this.#once(one, (it) => this.#redactor.redact(this.#callIds.renumber(it))),
      ),
    };
    const request = spellRequest(whole, this.#earlier);
    this.#earlier.push([this.#drafts.indexOf(draft), whole]);
    return {
      kind: 'model',
      by: draft.by,
      hash: sha256Hex(this.#spell(whole)),
      request,
      ...(answer && { answer: this.#answer(answer) }),
      ...(error && { error: this.#failure(error) }),
    };
  }

  /**
   * Redacts the content from the model. The other fields are Proofmark's own and contain no
   * secrets.
   */
  #answer(answer: NonNullable<ModelDraft['answer']>): Json {
    const { text, toolCalls, reasoning, responseId: _, ...others } = answer;
    const modelOutput = {
      text,
      toolCalls: this.#callIds.number(toolCalls),
      ...(reasoning && { reasoning: reasoning.map(({ type, text }) => ({ type, text })) }),
    };
    return { ...plainJson(others), ...(this.#redactor.redact(modelOutput) as Json) };
  }

  #ofServer(draft: ServerDraft): RecordingExchange {
    const { kind, serverName, what, input, nth, answer, error, reopenedAfter, task } = draft;
    const parameters = this.#redactor.redact(input);
    const failed = {
      ...(error && { error: this.#failure(error) }),
      ...(reopenedAfter !== undefined && {
        reopenedAfter: String(this.#redactor.redact(reopenedAfter)),
      }),
    };
    if (kind === 'ask') {
      const resultField = answer !== undefined && { result: this.#redactor.redact(answer) };
      return {
        kind,
        serverName,
        method: what,
        arguments: parameters,
        nth,
        ...resultField,
        ...failed,
      };
    }
    const {
      result,
      durationMs: _,
      stillMs: __,
      ...checks
    } = (answer ?? {}) as Partial<ToolOutcome>;
    return {
      kind,
      serverName,
      toolName: what,
      arguments: parameters,
      nth,
      ...(result !== undefined && { result: this.#redactor.redact(result) }),
      ...(Object.keys(checks).length > 0 && {
        checks: this.#redactor.redact(plainJson(checks)) as Json,
      }),
      ...(task !== undefined && { task }),
      ...failed,
    };
  }

  /** If the question is too large to send, the hash stays empty. */
  #ofScorer({ kind, url, conversation, answer }: ScorerDraft): RecordingExchange {
    const asked = questionOfScorer(url, conversation, (value) => this.#redactor.redact(value));
    const { name } = conversation.metadata;
    return {
      kind,
      hash: '',
      ...asked,
      ...(name !== undefined && { name: String(this.#redactor.redact(name)) }),
      ...(answer && { answer: this.#redactor.redact(plainJson(answer)) as Json }),
    };
  }

  #ofRequest({
    kind,
    serverName,
    request,
    during,
    answer,
    error,
  }: RequestDraft): RecordingExchange {
    const place = during === undefined ? -1 : this.#drafts.indexOf(during);
    return {
      kind,
      serverName,
      during: place < 0 ? null : place,
      request: this.#request(request ?? null),
      ...(answer !== undefined && { answer: this.#redactor.redact(answer) }),
      ...(error && { error: this.#failure(error) }),
    };
  }

  /** Restores `maxTokens`: its name looks like that of a secret token, so the redactor hides it. */
  #request(request: unknown): unknown {
    const redacted = this.#redactor.redact(request);
    if (!isRecord(request) || !isRecord(redacted)) return redacted;
    const { maxTokens } = request;
    return typeof maxTokens === 'number' ? { ...redacted, maxTokens } : redacted;
  }

  #failure(error: Error): Json {
    const { message } = error;
    const plainError = plainJson({ ...error, message });
    const { durationMs: _, stillMs: __, name: ___, ...fields } = plainError;
    return this.#redactor.redact(fields) as Json;
  }

  #tools(tools: readonly Json[]): string {
    const spelled = spellTools(tools);
    const isSpelled = (secret: string) => spelled.includes(JSON.stringify(secret).slice(1, -1));
    if (!this.#secrets.some(isSpelled) && findSecrets(spelled).length === 0) return spelled;
    return canonicalJson(this.#redactor.redactKnown(tools));
  }

  #describing<Value>(value: Value): Value {
    return this.#redactor.redactKnown(value) as Value;
  }

  #once(value: unknown, make: (value: unknown) => unknown): unknown {
    const known = this.#known.get(value) ?? make(value);
    this.#known.set(value, known);
    return known;
  }

  /** Caches the text of each message, because many requests contain the same messages. */
  #spell(request: RecordedRequest): string {
    return spellOneRequest(request, (message) => {
      const known = this.#texts.get(message) ?? canonicalJson(message);
      this.#texts.set(message, known);
      return known;
    });
  }
}

function plainJson(value: object): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
