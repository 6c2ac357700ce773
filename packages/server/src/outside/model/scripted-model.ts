import type { ModelFailure } from './model-failure.ts';
import type { ModelGateway, ModelReply, ModelRequest } from './model-gateway.ts';

export type ScriptedReply = Partial<ModelReply> | ModelFailure;
export type ModelScript = (
  request: ModelRequest,
  /** The number of the request, counted from 1. */
  count: number,
) => ScriptedReply | Promise<ScriptedReply>;

export interface ScriptedModel extends ModelGateway {
  readonly requests: readonly ModelRequest[];
}

export function createScriptedModel(
  script: ModelScript | readonly ScriptedReply[],
  modelId = 'scripted/one',
): ScriptedModel {
  const provider = modelId.slice(0, modelId.indexOf('/'));
  const requests: ModelRequest[] = [];
  const replyTo: ModelScript =
    typeof script === 'function' ? script : (_, count) => script[count - 1] ?? exhausted(count);
  const model: ScriptedModel = {
    requests,
    configured: [],
    offer: { hosted: [{ id: modelId, provider }], providers: [provider] },
    priceOf: () => undefined,
    isPaidByOperator: ({ hosted }) => hosted,
    async generate(_, request, { signal, onSent }) {
      signal.throwIfAborted();
      onSent?.(true);
      const count = requests.push(request);
      const reply = await unlessAborted(replyTo(request, count), signal);
      if (reply instanceof Error) throw reply;
      const callsTools = reply.toolCalls !== undefined && reply.toolCalls.length > 0;
      return {
        text: '',
        toolCalls: [],
        finishReason: callsTools ? 'tool-calls' : 'stop',
        usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
        attempts: 1,
        ...reply,
      };
    },
    including: () => model,
    async close() {},
  };
  return model;
}

/** A script's promise may never settle, so an abort ends the wait for it. */
async function unlessAborted<Value>(
  value: Value | Promise<Value>,
  signal: AbortSignal,
): Promise<Value> {
  let leave = (): void => undefined;
  const left = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
  });
  try {
    return await Promise.race([value, left]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

function exhausted(count: number): never {
  throw new Error(`The script has no reply number ${count}.`);
}
