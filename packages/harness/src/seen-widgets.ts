/**
 * Widgets of a trial as the worker stores them, with real pictures. Their texts contain markup that
 * a page must not execute.
 */
import { createHash, randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import type { WidgetObservation } from '@proofmark/domain';
import { writeWidgets } from '../../server/src/features/evals/store/stored-widgets.ts';
import {
  insertRun,
  insertSuite,
  insertTrialRows,
  type ProjectIds,
  type RunIds,
} from './eval-rows.ts';
import type { TestService } from './test-service.ts';

export function onePng(
  width = 8,
  height = 8,
  colour: readonly number[] = [40, 90, 160],
): Uint8Array {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  const line = Buffer.from([0, ...Array.from({ length: width }, () => colour).flat()]);
  const lines = Buffer.concat(Array.from({ length: height }, () => line));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(content.length, 0);
  named.copy(whole, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
}

export function hashOfPng(png: Uint8Array): string {
  return createHash('sha256').update(png).digest('hex');
}

export function seenWidget(
  pictures: readonly { readonly stepId?: string; readonly png: Uint8Array }[],
  more: Partial<WidgetObservation> = {},
): WidgetObservation {
  return {
    toolName: 'order_form',
    serverName: 'Bookshop',
    toolCallId: 'call_1',
    promptIndex: 0,
    status: 'rendered',
    elapsedMs: 184,
    trail: {
      consoleLines: [
        { level: 'error', text: '<img src=x onerror="document.title=1">', atMs: 12 },
        { level: 'info', text: 'ready', atMs: 20 },
      ],
      calls: [{ toolName: 'quote', arguments: { isbn: '978' }, outcome: 'answered' }],
      messages: ['Order two of them.'],
      links: ['javascript:alert(1)'],
      refused: [{ what: 'request', url: 'https://elsewhere.example/pixel' }],
      size: { width: 320, height: 240 },
      dropped: { consoleLines: 3 },
    },
    accessibility: [
      { rule: 'label', impact: 'serious', help: 'Form elements must have labels', elements: 2 },
    ],
    pictures: pictures.map(({ stepId, png }) => ({
      ...(stepId !== undefined && { stepId }),
      width: 8,
      height: 8,
      sha256: hashOfPng(png),
      bytes: png.length,
    })),
    ...more,
  };
}

export async function insertWidgets(
  service: TestService,
  { organizationId, runId }: RunIds,
  observations: readonly WidgetObservation[],
  pngs: readonly Uint8Array[],
): Promise<void> {
  const pictures = pngs.map((png) => ({ sha256: hashOfPng(png), png }));
  await service.database.tenant([organizationId], (sql) =>
    Promise.all(
      writeWidgets(sql, runId, organizationId, [
        { ordinal: 1, widgets: { observations, pictures } },
      ]),
    ),
  );
}

export async function insertSeenWidget(service: TestService, ids: ProjectIds) {
  const run = await insertRun(service, await insertSuite(service, ids), { source: 'api' });
  const [iterationId = ''] = await insertTrialRows(service, run, [{}]);
  const png = onePng(8, 8, [...randomBytes(3)]);
  await insertWidgets(service, run, [seenWidget([{ png }])], [png]);
  return { runId: run.runId, iterationId, pictureId: hashOfPng(png) };
}
