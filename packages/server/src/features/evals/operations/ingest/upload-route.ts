/**
 * Receives a file at a signed upload URL. The token in the path is the only authorization. The file
 * is read only after the token and the stored row show that the upload is open.
 */
import { largestArtifactBytes } from '@proofmark/contract';
import {
  invalid,
  type Quotas,
  type Refusal,
  Refused,
  Semaphore,
  withDeadline,
} from '@proofmark/domain';
import type { Database } from '../../../../platform/database/database.ts';
import { DiskIsFull } from '../../../../platform/database/disk-full.ts';
import { answerJson } from '../../../../platform/http/answer.ts';
import type { HttpOptions } from '../../../../platform/http/http-options.ts';
import { readBytes } from '../../../../platform/http/read-json-body.ts';
import type { Handler, RequestExchange } from '../../../../platform/http/request-exchange.ts';
import type { Routes } from '../../../../platform/http/routes.ts';
import {
  enterQuota,
  isBounded,
  type QuotaHolder,
} from '../../../../platform/spending/enter-quota.ts';
import {
  type ArtifactIds,
  compressContent,
  findUpload,
  keepContent,
  type Upload,
} from '../../store/reported/artifacts.ts';
import { readUploadToken, uploadPath } from './upload-token.ts';

const atOnce = 4;
const findWithinMs = 5000;
const keepWithinMs = 60_000;

export function uploadRoute(routes: Routes, options: HttpOptions, quotas: Quotas): void {
  const { database } = options;
  const uploads = new Semaphore(atOnce);
  const take: Handler = async (exchange) => {
    exchange.operationId = 'uploadArtifact';
    if (options.disk?.isFull) throw new DiskIsFull();
    const ids = readUploadToken(database.vault, exchange.parameters['token'] ?? '');
    if (ids === undefined) throw new Refused(unknownUrl);
    const find = () => withDeadline(findUpload(database, ids), findWithinMs);
    const { sizeBytes, hasQuotas } = requireOpen(await find());
    refuseByHeaders(exchange, sizeBytes);
    const upload = { ...ids, hasQuotas };
    const declaredBytes = Number(exchange.header('content-length') ?? sizeBytes ?? 1);
    await withDeadline(refuseUpload(database, quotas, upload, declaredBytes), findWithinMs);
    const kept = await uploads.run('upload', async () => {
      const content = await readBytes(exchange.incoming, sizeBytes ?? largestArtifactBytes);
      refuseBySize(content.length, sizeBytes);
      return withDeadline(keepUpload(database, quotas, upload, content), keepWithinMs);
    });
    if (kept === 'notOpen') {
      requireOpen(await find());
      throw new Error('Internal fault: the upload was still open, but its file was not stored.');
    }
    return answerJson(200, { storageId: ids.artifactId });
  };
  for (const method of ['POST', 'PUT']) routes.add(method, `${uploadPath}/{token}`, take);
}

function requireOpen(upload: Upload | undefined): Upload {
  if (upload === undefined || upload.state === 'expired') throw new Refused(expired);
  if (upload.state === 'used') throw new Refused(used);
  return upload;
}

/** Decides by the headers alone, before the file is transferred. */
function refuseByHeaders({ incoming }: RequestExchange, sizeBytes: number | null): void {
  const { headers } = incoming;
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new Refused(invalid('header.content-encoding', 'The file must not be compressed.'));
  }
  if (/^multipart\//i.test(headers['content-type'] ?? '')) {
    const message = 'Send the file itself as the request body, not inside a form.';
    throw new Refused(invalid('header.content-type', message));
  }
  const length = headers['content-length'];
  if (length !== undefined) refuseBySize(Number(length), sizeBytes);
}

function refuseBySize(length: number, sizeBytes: number | null): void {
  const limitBytes = sizeBytes ?? largestArtifactBytes;
  if (length > limitBytes) {
    const message = `The file is larger than ${limitBytes} bytes.`;
    throw new Refused(invalid('body', message, { limitBytes }));
  }
  if (length === 0) throw new Refused(invalid('body', 'The file is empty.'));
  if (sizeBytes !== null && length < sizeBytes) {
    const message = `The file has ${length} bytes, but this URL was made for ${sizeBytes} bytes.`;
    throw new Refused(invalid('body', message, { sizeBytes }));
  }
}

const unknownUrl: Refusal = {
  code: 'NOT_FOUND',
  message:
    'This is not an upload URL of this installation; use the URL exactly as you received it.',
};

const expired: Refusal = {
  code: 'NOT_FOUND',
  message: 'This upload URL has expired or its file was already reported; request a new URL.',
};

const used: Refusal = {
  code: 'CONFLICT',
  message: 'A file was already uploaded to this URL; request a new URL for another file.',
};

/** Rejects an upload that exceeds the daily quota before the file is transferred. */
async function refuseUpload(
  database: Database,
  quotas: Quotas,
  holder: QuotaHolder,
  bytes: number,
): Promise<void> {
  if (!isBounded(holder, quotas)) return;
  await database.tenant([holder.organizationId], (sql) =>
    enterQuota(sql, holder, quotas, 'uploadBytesPerDay', bytes),
  );
}

async function keepUpload(
  database: Database,
  quotas: Quotas,
  ids: ArtifactIds & QuotaHolder,
  content: Buffer,
): Promise<'kept' | 'notOpen'> {
  const compressed = await compressContent(content);
  return database.tenant([ids.organizationId], async (sql) => {
    const quota = await enterQuota(sql, ids, quotas, 'uploadBytesPerDay', content.length);
    const kept = await keepContent(sql, ids, compressed);
    if (kept === 'kept') await quota.count();
    return kept;
  });
}
