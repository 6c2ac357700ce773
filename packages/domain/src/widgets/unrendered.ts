import type { RenderStatus } from '../assertions/transcript.ts';

const whys: Readonly<Record<Exclude<RenderStatus, 'rendered'>, string>> = {
  no_ui_resource: 'its tool names no user interface.',
  resource_read_failed: 'its resource could not be read.',
  mount_failed: 'its page could not be loaded.',
  bridge_timeout: 'it did not report in time that it was ready.',
  render_error: 'it broke while it was shown.',
  blank_screenshot: 'it shows nothing.',
  screenshot_failed: 'its screenshot could not be taken.',
  browser_unavailable: 'there was no browser to show it in.',
};

/** Returns undefined if the widget was rendered and did not break later. */
export function unrendered({
  toolName,
  status,
  elapsedMs,
  message,
}: {
  readonly toolName: string;
  readonly status: RenderStatus;
  /** Present only if the widget was rendered at first and broke later. */
  readonly elapsedMs?: number | undefined;
  readonly message?: string | undefined;
}): string | undefined {
  if (status === 'rendered') return undefined;
  const widget = `The widget of ${JSON.stringify(toolName)}`;
  const isBroken = status === 'render_error' && elapsedMs !== undefined;
  if (isBroken)
    return `${widget} broke after it was shown.${message === undefined ? '' : ` ${message}`}`;
  const what = `${widget} was not rendered`;
  return message === undefined ? `${what}: ${whys[status]}` : `${what}. ${message}`;
}
