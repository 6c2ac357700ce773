/**
 * Finds the elements of a target. Of test id, role, text and CSS, the first one that the target has
 * is used.
 */
import type { WidgetTarget } from '@proofmark/domain';
import type { Frame, Locator } from 'playwright-core';

export type Found =
  | { readonly problem: string }
  | {
      /** The number of matches, including hidden ones. */
      readonly count: number;
      /** The visible matches; at most one if `nth` is given, which counts hidden matches too. */
      readonly visible: readonly Locator[];
      describe(): Promise<string>;
    };

export interface ElementInPage {
  readonly tagName: string;
  readonly innerText?: string;
  readonly isContentEditable?: boolean;
  readonly type?: string;
  readonly value?: unknown;
  getAttribute(name: string): string | null;
}

const mostLookedAt = 50;
const mostDescribed = 5;

export async function locate(widget: Frame, target: WidgetTarget): Promise<Found> {
  const all = locatorOf(widget, target);
  let count: number;
  try {
    count = await all.count();
  } catch (error) {
    if (!/not a valid selector|parsing|Unexpected/i.test((error as Error).message)) throw error;
    return { problem: `${describeTarget(target)} is not a valid selector.` };
  }
  const from = target.nth ?? 0;
  const to = Math.min(count, target.nth === undefined ? mostLookedAt : from + 1);
  const visible: { readonly at: number; readonly element: Locator }[] = [];
  for (let at = from; at < to; at += 1) {
    const element = all.nth(at);
    if (await element.isVisible()) visible.push({ at, element });
  }
  return {
    count,
    visible: visible.map(({ element }) => element),
    async describe() {
      const words = await Promise.all(visible.slice(0, mostDescribed).map(inWords));
      const more = visible.length - words.length;
      return `${visible.length} found: ${words.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    },
  };
}

export function describeTarget({ testId, role, text, css, nth }: WidgetTarget): string {
  const number = nth === undefined ? '' : ` (nth ${nth})`;
  if (testId !== undefined) return `The element with the test id "${short(testId)}"${number}`;
  if (role !== undefined) {
    const name = role.name === undefined ? '' : ` "${short(role.name)}"`;
    return `The ${short(role.role)}${name}${number}`;
  }
  if (text !== undefined) return `The element with the text "${short(text)}"${number}`;
  return `The element "${short(css ?? '')}"${number}`;
}

function locatorOf(widget: Frame, { testId, role, text, css }: WidgetTarget): Locator {
  if (testId !== undefined) return widget.getByTestId(testId);
  if (role !== undefined) {
    return widget.getByRole(role.role as Parameters<Frame['getByRole']>[0], {
      ...(role.name !== undefined && { name: role.name }),
      ...(role.exact !== undefined && { exact: role.exact }),
    });
  }
  if (text !== undefined) return widget.getByText(text);
  return widget.locator(`css=${css ?? ''}`);
}

async function inWords({ at, element }: { at: number; element: Locator }): Promise<string> {
  const words = await element.evaluate((one: ElementInPage) => {
    const text =
      one.innerText || one.getAttribute('aria-label') || one.getAttribute('placeholder') || '';
    return `<${one.tagName.toLowerCase()}> "${text.replace(/\s+/g, ' ').trim().slice(0, 40)}"`;
  });
  return `nth ${at} ${words}`;
}

function short(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
