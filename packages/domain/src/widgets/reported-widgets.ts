/**
 * Reads the widgets of a reported trial (run elsewhere and uploaded) from its `widgetSnapshots`.
 * Reporters name the widget, but most do not report whether rendering succeeded. Of the HTML only
 * the length is kept. Data counts as a picture only if its bytes are a PNG.
 */
import { type RenderStatus, renderStatuses } from '../assertions/transcript.ts';
import { isRecord, type Json } from '../kernel/json.ts';
import { type PngSize, pngSize } from './png.ts';
import type { ConsoleLine } from './widget-observation.ts';

export interface ReportedWidget {
  readonly toolName: string;
  readonly serverName: string | null;
  readonly toolCallId: string | null;
  readonly promptIndex: number | null;
  /** Null if the reporter did not send it. */
  readonly status: RenderStatus | null;
  readonly elapsedMs: number | null;
  readonly message: string | null;
  readonly consoleLines: readonly ConsoleLine[];
  readonly pictures: readonly ReportedPicture[];
}

export interface ReportedPicture extends PngSize {
  readonly png: Uint8Array;
}

export const reportedWidgetBounds = {
  widgets: 50,
  consoleLines: 100,
  textLength: 2000,
  pictureBytes: 2 * 1024 * 1024,
} as const;

export function reportedWidgets(details: Json, trace: Json): ReportedWidget[] {
  const snapshots =
    [details['widgetSnapshots'], trace['widgetSnapshots']].find(Array.isArray) ?? [];
  return snapshots.filter(isRecord).slice(0, reportedWidgetBounds.widgets).map(readSnapshot);
}

function readSnapshot(snapshot: Json): ReportedWidget {
  const picture = firstOf(snapshot, pictureNames, readPicture);
  const status = firstOf(snapshot, ['status', 'renderStatus'], readStatus) ?? null;
  const elapsedMs = firstOf(snapshot, ['elapsedMs', 'renderMs'], readCount) ?? null;
  return {
    toolName: firstOf(snapshot, ['toolName', 'name'], readText) ?? '',
    serverName: firstOf(snapshot, ['serverName', 'serverId'], readText) ?? null,
    toolCallId: firstOf(snapshot, ['toolCallId'], readText) ?? null,
    promptIndex: firstOf(snapshot, ['promptIndex'], readCount) ?? null,
    status,
    // If the widget was not rendered, it is unclear what the reporter's duration measures.
    elapsedMs: status === null || status === 'rendered' ? elapsedMs : null,
    message: messageOf(snapshot),
    consoleLines: readLines(snapshot['consoleLines'] ?? snapshot['consoleErrors']),
    pictures: picture === undefined ? [] : [picture],
  };
}

const pictureNames = ['screenshot', 'screenshotDataUrl', 'screenshotUrl', 'picture', 'image'];
const htmlNames = ['widgetHtml', 'html'];

function firstOf<Value>(
  snapshot: Json,
  names: readonly string[],
  read: (value: unknown) => Value | undefined,
): Value | undefined {
  for (const name of names) {
    const value = read(snapshot[name]);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Returns the reported message. If there is none, the message names the widget. */
function messageOf(snapshot: Json): string | null {
  const message = firstOf(snapshot, ['message', 'error'], readText);
  if (message !== undefined) return message;
  const uri = firstOf(snapshot, ['resourceUri', 'uri'], readText);
  const html = firstOf(snapshot, htmlNames, (value) =>
    typeof value === 'string' ? value.length : undefined,
  );
  if (uri === undefined && html === undefined) return null;
  const length = html === undefined ? '' : `, ${html} characters of HTML, which are not shown`;
  return `Reported as ${uri ?? 'HTML'}${length}.`;
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== ''
    ? value.slice(0, reportedWidgetBounds.textLength)
    : undefined;
}

function readCount(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value < 2 ** 31 ? Math.round(value) : undefined;
}

function readStatus(value: unknown): RenderStatus | undefined {
  return renderStatuses.find((status) => status === value);
}

function readLines(value: unknown): ConsoleLine[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, reportedWidgetBounds.consoleLines).flatMap((line): ConsoleLine[] => {
    const entry: Json = isRecord(line) ? line : { text: line, level: 'error' };
    const text = readText(entry['text'] ?? entry['message']);
    if (text === undefined) return [];
    const level = levels.find((known) => known === entry['level']) ?? 'info';
    return [{ level, text, atMs: readCount(entry['atMs']) ?? 0 }];
  });
}

const levels = ['error', 'warning', 'info'] as const;
const dataUrl = /^data:image\/png;base64,([A-Za-z0-9+/]+={0,2})$/;

function readPicture(value: unknown): ReportedPicture | undefined {
  if (typeof value !== 'string' || value.length > reportedWidgetBounds.pictureBytes * 1.4) {
    return undefined;
  }
  const content = dataUrl.exec(value)?.[1];
  if (content === undefined || content.length % 4 !== 0) return undefined;
  const png = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
  const size = png.length > reportedWidgetBounds.pictureBytes ? undefined : pngSize(png);
  return size && { png, ...size };
}
