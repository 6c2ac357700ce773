/**
 * Reads requests that a server sends to the client. Their content is untrusted, so every field is
 * checked.
 */
import type { Json } from '@proofmark/domain';
import type { ModelMessage, ModelRequest } from '../outside/model/model-gateway.ts';
import { toolResultContent } from '../outside/model/tool-result-content.ts';
import { shorten, sizeOf } from './limit-trace.ts';

/**
 * Sent to the server as a JSON-RPC error. Its message must not reveal anything that the server must
 * not know.
 */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
  readonly code: number;

  constructor(message: string, code = -32603) {
    super(message);
    this.code = code;
  }
}

/**
 * Converts a sampling request to a model request. All content becomes text; content that is no text
 * is described.
 */
export function readSampling(params: unknown): ModelRequest {
  const { messages, systemPrompt, temperature, maxTokens } = (params ?? {}) as Json;
  if (!Array.isArray(messages) || messages.length === 0) {
    throw new RequestRefused('messages must be a list of at least one message.', -32602);
  }
  const request: { -readonly [Name in keyof ModelRequest]: ModelRequest[Name] } = {
    messages: messages.map(readMessage),
    tools: [],
  };
  if (typeof systemPrompt === 'string') request.system = systemPrompt;
  if (isBetween(temperature, 0, 2)) request.temperature = temperature;
  if (isBetween(maxTokens, 1, mostTokens)) request.maxOutputTokens = Math.floor(maxTokens);
  return request;
}

export function boundRequest(value: unknown): unknown {
  return sizeOf(value, mostKeptBytes) <= mostKeptBytes ? value : shorten(value, 0);
}

function readMessage(message: unknown): ModelMessage {
  const { role, content } = (message ?? {}) as Json;
  const blocks = Array.isArray(content) ? content : [content];
  const text = toolResultContent({ content: blocks })?.text ?? '';
  if (role === 'user') return { role, content: text };
  if (role === 'assistant') return { role, content: [{ type: 'text', text }] };
  throw new RequestRefused('The role of a message must be user or assistant.', -32602);
}

function isBetween(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && value >= least && value <= most;
}

const mostTokens = 1_000_000;
const mostKeptBytes = 16 * 1024;

/** Returns the defaults in the schema of a form, with which a client would prefill the form. */
export function defaultsOf(schema: unknown): Json {
  const properties = (schema as { properties?: unknown } | null | undefined)?.properties;
  if (typeof properties !== 'object' || properties === null) return {};
  const defaults = Object.entries(properties as Json).flatMap(([name, property]) => {
    const value = (property as { default?: unknown } | null)?.default;
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(defaults);
}
