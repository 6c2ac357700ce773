/**
 * The origins that a widget's requests may reach: those that its resource declares. An entry that a
 * content security policy cannot enforce exactly is ignored, never widened. Such entries are
 * any-host patterns (`*`, `https://*.com`), other schemes, paths and user names.
 */
import { isRecord, type Json } from '../kernel/json.ts';

/** Origins such as `https://api.example.com`; the host may begin with `*.`. */
export interface WidgetOrigins {
  /** The origins for `fetch` and similar requests. */
  readonly connect: readonly string[];
  /** The origins for scripts, styles, pictures, fonts and media. */
  readonly resource: readonly string[];
}

/** Requests of the kind `other` are never allowed. */
export type WidgetRequestKind = 'connect' | 'resource' | 'other';

const mostOrigins = 50;

/** Reads `ui.csp`, else the older `openai/widgetCSP`. */
export function declaredOrigins(meta: unknown): WidgetOrigins {
  const all = isRecord(meta) ? meta : {};
  const csp = isRecord(all['ui']) ? all['ui']['csp'] : undefined;
  if (isRecord(csp)) return originsOf(csp['connectDomains'], csp['resourceDomains']);
  const older: Json = isRecord(all['openai/widgetCSP']) ? all['openai/widgetCSP'] : {};
  return originsOf(older['connect_domains'], older['resource_domains']);
}

/**
 * Returns a content security policy that allows no more than was declared. Inline scripts and
 * styles run, but they cannot reach any other origin.
 */
export function contentPolicy({ connect, resource }: WidgetOrigins): string {
  const rows: readonly (readonly [string, ...string[]])[] = [
    ['default-src', "'none'"],
    ['script-src', "'unsafe-inline'", "'unsafe-eval'", 'blob:', 'data:', ...resource],
    ['style-src', "'unsafe-inline'", 'blob:', 'data:', ...resource],
    ['img-src', 'blob:', 'data:', ...resource],
    ['font-src', 'blob:', 'data:', ...resource],
    ['media-src', 'blob:', 'data:', ...resource],
    ['connect-src', ...(connect.length === 0 ? ["'none'"] : connect)],
    ['worker-src', 'blob:'],
    ['frame-src', "'none'"],
    ['object-src', "'none'"],
    ['base-uri', "'none'"],
    ['form-action', "'none'"],
  ];
  return rows.map((row) => row.join(' ')).join('; ');
}

export function mayRequest(url: string, kind: WidgetRequestKind, origins: WidgetOrigins): boolean {
  if (kind === 'other' || !URL.canParse(url)) return false;
  const { protocol, hostname, port, username, password } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return false;
  if (username !== '' || password !== '') return false;
  return origins[kind].some((origin) => {
    const written = readOrigin(origin);
    if (written === undefined || `${written.scheme}:` !== protocol || written.port !== port) {
      return false;
    }
    return written.isWild ? hostname.endsWith(`.${written.host}`) : hostname === written.host;
  });
}

function originsOf(connect: unknown, resource: unknown): WidgetOrigins {
  return { connect: listOf(connect), resource: listOf(resource) };
}

function listOf(value: unknown): readonly string[] {
  const written = Array.isArray(value) ? value : [];
  const read = written.flatMap((one) => {
    const origin = typeof one === 'string' ? readOrigin(one) : undefined;
    return origin === undefined ? [] : [textOf(origin)];
  });
  return [...new Set(read)].slice(0, mostOrigins);
}

interface Origin {
  readonly scheme: string;
  readonly host: string;
  readonly port: string;
  readonly isWild: boolean;
}

const form =
  /^(https|http|wss):\/\/(\*\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(:\d{1,5})?\/?$/i;

function readOrigin(written: string): Origin | undefined {
  const [, scheme = '', wild, host = '', port = ''] = form.exec(written) ?? [];
  // The platform's URL parser decides whether the origin is valid: it handles default ports,
  // unusual spellings and invalid ports.
  if (scheme === '' || !URL.canParse(`${scheme}://${host}${port}`)) return undefined;
  const url = new URL(`${scheme}://${host}${port}`);
  const isAddress = /^\[|^[\d.]+$/.test(url.hostname);
  if (wild !== undefined && (isAddress || !url.hostname.includes('.'))) return undefined;
  return {
    scheme: url.protocol.slice(0, -1),
    host: url.hostname,
    port: url.port,
    isWild: wild !== undefined,
  };
}

function textOf({ scheme, host, port, isWild }: Origin): string {
  return `${scheme}://${isWild ? '*.' : ''}${host}${port === '' ? '' : `:${port}`}`;
}
