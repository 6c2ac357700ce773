/**
 * Reads a server's response to `resources/read` for a widget. Returns the document, or a sentence
 * that explains why there is none.
 */
import { isRecord, type Json } from '../kernel/json.ts';
import { mostMaxMessageMiB } from '../servers/saved-server.ts';
import { declaredOrigins, type WidgetOrigins } from './widget-origins.ts';

export interface WidgetDocument {
  readonly html: string;
  /** The widget API that the document uses; `openai` is the older one, with `window.openai`. */
  readonly dialect: 'mcpApps' | 'openai';
  readonly origins: WidgetOrigins;
}

export const mostWidgetBytes = mostMaxMessageMiB * 1024 * 1024;

export function readWidgetResource(
  uri: string,
  answer: unknown,
): WidgetDocument | { readonly problem: string } {
  const contents = isRecord(answer) && Array.isArray(answer['contents']) ? answer['contents'] : [];
  const records = contents.filter(isRecord);
  const content = records.find((one) => one['uri'] === uri) ?? records[0];
  if (content === undefined)
    return { problem: `The server returned no content for ${shown(uri)}.` };
  const dialect = dialectOf(content['mimeType']);
  if (dialect === undefined) {
    const got = typeof content['mimeType'] === 'string' ? content['mimeType'] : 'nothing';
    return {
      problem: `The resource ${shown(uri)} has the type "${shown(got)}" instead of "text/html;profile=mcp-app".`,
    };
  }
  const html = textOf(content);
  if (html === undefined) {
    return { problem: `The resource ${shown(uri)} holds neither text nor a readable blob.` };
  }
  if (html.length > mostWidgetBytes) {
    return { problem: `The resource ${shown(uri)} is larger than ${mostWidgetBytes} bytes.` };
  }
  if (html.trim() === '') return { problem: `The resource ${shown(uri)} is empty.` };
  return { html, dialect, origins: declaredOrigins(content['_meta']) };
}

function dialectOf(mimeType: unknown): WidgetDocument['dialect'] | undefined {
  if (typeof mimeType !== 'string') return undefined;
  const [type, ...parameters] = mimeType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (type === 'text/html+skybridge') return 'openai';
  const isApp = parameters.some((one) => /^profile="?mcp-app"?$/.test(one));
  return type === 'text/html' && isApp ? 'mcpApps' : undefined;
}

function textOf(content: Json): string | undefined {
  const { text, blob } = content;
  if (typeof text === 'string') return text;
  if (typeof blob !== 'string' || blob.length > (mostWidgetBytes * 4) / 3 + 4) return undefined;
  try {
    const bytes = Uint8Array.from(atob(blob), (one) => one.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function shown(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
