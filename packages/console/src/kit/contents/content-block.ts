/**
 * Classifies content from a server by how a page may show it safely. Text is shown as text, raster
 * images of known types as images, and http and https addresses as links. Other bytes can only be
 * downloaded; unknown content is shown as JSON.
 */
import { isRecord, type Json } from '@proofmark/domain';

export type ContentBlock =
  | { readonly kind: 'text'; readonly text: string; readonly uri?: string }
  | { readonly kind: 'image'; readonly dataUrl: string; readonly bytes: BytesBlock }
  | BytesBlock
  | LinkBlock
  | { readonly kind: 'unknown'; readonly value: unknown };

export interface BytesBlock {
  readonly kind: 'bytes';
  readonly base64: string;
  readonly sizeBytes: number;
  readonly mimeType: string;
  readonly fileName: string;
  readonly uri?: string;
}

export interface LinkBlock {
  readonly kind: 'link';
  readonly uri: string;
  /** The link target. Undefined if a browser must not open the address. */
  readonly href: string | undefined;
  readonly name: string;
  readonly description: string;
}

export function readContentBlock(value: unknown): ContentBlock {
  const block = asRecord(value);
  const { type, text, data, mimeType } = block;
  if (type === 'text' && typeof text === 'string') return { kind: 'text', text };
  if ((type === 'image' || type === 'audio') && isBase64(data)) {
    return bytesOrImage(data, mimeType, type, undefined);
  }
  if (type === 'resource_link' && typeof block['uri'] === 'string') {
    const uri = block['uri'];
    return {
      kind: 'link',
      uri,
      href: safeHref(uri),
      name: textOr(block['title'], textOr(block['name'], '')),
      description: textOr(block['description'], ''),
    };
  }
  if (type === 'resource') return readResourceContents(block['resource'], value);
  return { kind: 'unknown', value };
}

/** Reads one entry of a resource's contents, returned by itself or embedded in a tool result. */
export function readResourceContents(value: unknown, whole: unknown = value): ContentBlock {
  const { uri, text, blob, mimeType } = asRecord(value);
  const at = typeof uri === 'string' ? uri : undefined;
  if (typeof text === 'string') return { kind: 'text', text, ...(at !== undefined && { uri: at }) };
  if (isBase64(blob)) return bytesOrImage(blob, mimeType, 'resource', at);
  return { kind: 'unknown', value: whole };
}

/** Undefined for schemes that a browser must not open, such as javascript:, data: and file:. */
export function safeHref(uri: string): string | undefined {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : undefined;
}

export function sizeWords(sizeBytes: number): string {
  if (sizeBytes < 1000) return `${sizeBytes} bytes`;
  if (sizeBytes < 1_000_000) return `${(sizeBytes / 1000).toFixed(1)} kB`;
  return `${(sizeBytes / 1_000_000).toFixed(1)} MB`;
}

const drawnTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);
const largestDrawnBytes = 8_000_000;

function bytesOrImage(
  data: string,
  mimeType: unknown,
  name: string,
  uri: string | undefined,
): ContentBlock {
  const base64 = withoutSpaces(data);
  const sizeBytes = Math.floor((base64.replace(/=+$/, '').length * 3) / 4);
  const type = typeof mimeType === 'string' ? mimeType.trim().toLowerCase() : '';
  const bytes: BytesBlock = {
    kind: 'bytes',
    base64,
    sizeBytes,
    mimeType: type === '' ? 'of no stated type' : type,
    fileName: fileNameOf(uri, name),
    ...(uri !== undefined && { uri }),
  };
  if (!drawnTypes.has(type) || sizeBytes > largestDrawnBytes) return bytes;
  return { kind: 'image', dataUrl: `data:${type};base64,${base64}`, bytes };
}

function fileNameOf(uri: string | undefined, otherwise: string): string {
  const last = (uri ?? '').split(/[?#]/)[0]?.split('/').pop() ?? '';
  const safe = last.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '');
  return safe === '' ? `${otherwise}.bin` : safe.slice(-80);
}

function isBase64(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9+/]*={0,2}$/.test(withoutSpaces(value));
}

function withoutSpaces(text: string): string {
  return text.replace(/\s+/g, '');
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise;
}

function asRecord(value: unknown): Json {
  return isRecord(value) ? value : {};
}
