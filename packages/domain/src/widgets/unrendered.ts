/** How it is told that a widget was not rendered. */
import type { RenderStatus } from '../assertions/transcript.ts';

const whys: Readonly<Record<Exclude<RenderStatus, 'rendered'>, string>> = {
  no_ui_resource: 'its tool names no user interface.',
  resource_read_failed: 'its resource could not be read.',
  mount_failed: 'its page could not be put up.',
  bridge_timeout: 'it did not say in time that it is ready.',
  render_error: 'it broke while it was shown.',
  blank_screenshot: 'it shows nothing.',
  screenshot_failed: 'no picture of it could be taken.',
  browser_unavailable: 'there was no browser to show it in.',
};

/** Nothing where it was. */
export function unrendered({
  toolName,
  status,
  message,
}: {
  readonly toolName: string;
  readonly status: RenderStatus;
  readonly message?: string | undefined;
}): string | undefined {
  if (status === 'rendered') return undefined;
  const what = `The widget of ${JSON.stringify(toolName)} was not rendered`;
  return message === undefined ? `${what}: ${whys[status]}` : `${what}. ${message}`;
}
