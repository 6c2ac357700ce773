/**
 * The built files of the console, in memory. Every path without a file name shows the console,
 * except below the path of share links. There, the share page is shown, which is never cached,
 * since its path may grant access. Each file is compressed at the first request that accepts it,
 * because compressing all files takes a fifth of the CPU of a start.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, posix, relative, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { basePaths } from '@proofmark/contract';
import type { Answer, RequestExchange } from './request-exchange.ts';
import { pagePolicy } from './security-headers.ts';

export interface Page {
  readonly type: string;
  readonly body: Buffer;
  /** Returns the compressed file, or undefined if the file is too small for compression to help. */
  gzipped(): Buffer | undefined;
  readonly etag: string;
  readonly immutable: boolean;
}

export function loadPages(folder: string, at = '/'): ReadonlyMap<string, Page> {
  const pages = new Map<string, Page>();
  for (const file of filesBelow(folder)) {
    const type = contentTypes[extname(file)];
    if (type === undefined) continue;
    const path = `${at}${relative(folder, file).split(sep).join(posix.sep)}`;
    const body = readFileSync(file);
    pages.set(path, {
      type,
      body,
      gzipped: body.length > 1024 ? gzippedOnce(body) : () => undefined,
      etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
      immutable: path.startsWith('/assets/'),
    });
  }
  return pages;
}

export function pageAnswer(
  exchange: RequestExchange,
  pages: ReadonlyMap<string, Page>,
): Answer | undefined {
  const { path } = exchange;
  if (exchange.method !== 'GET') return undefined;
  if (notPages.some((start) => `${path}/`.startsWith(start))) return undefined;
  const isShareLink = `${path}/`.startsWith(shareLinks);
  const page = isShareLink ? pages.get('/visit.html') : consolePage(path, pages);
  if (page === undefined) return undefined;
  exchange.operationId = 'page';
  const headers = {
    'content-security-policy': pagePolicy,
    'cache-control': isShareLink ? 'no-store' : cacheControlOf(page),
    etag: page.etag,
    vary: 'accept-encoding',
  };
  if (exchange.header('if-none-match') === page.etag) return { status: 304, body: null, headers };
  const { type, body } = page;
  const takesGzip = /\bgzip\b/.test(exchange.header('accept-encoding') ?? '');
  const gzipped = takesGzip ? page.gzipped() : undefined;
  if (gzipped === undefined) return { status: 200, type, body, headers };
  return { status: 200, type, body: gzipped, headers: { ...headers, 'content-encoding': 'gzip' } };
}

const notPages = ['/api/', '/sdk/', `${basePaths.console}/`, `${basePaths.visit}/`];
const shareLinks = '/user-testing/';

function consolePage(path: string, pages: ReadonlyMap<string, Page>): Page | undefined {
  return pages.get(path) ?? (looksLikeFile(path) ? undefined : pages.get('/index.html'));
}

function cacheControlOf({ immutable }: Page): string {
  return immutable ? 'public, max-age=31536000, immutable' : 'no-cache';
}

function gzippedOnce(body: Buffer): () => Buffer {
  let gzipped: Buffer | undefined;
  return () => {
    gzipped ??= gzipSync(body);
    return gzipped;
  };
}

/**
 * Returns whether a path names a file. No page of the console has such a path, so a missing file is
 * answered with 404 instead of a page.
 */
function looksLikeFile(path: string): boolean {
  return path.startsWith('/assets/') || extname(path) !== '';
}

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}
