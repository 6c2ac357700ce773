/**
 * Performs the actions and assertions of a case in a widget. Like a user, they use only visible
 * elements and wait for them.
 */
import {
  secondsText,
  type WidgetAction,
  type WidgetAssertion,
  type WidgetTarget,
} from '@proofmark/domain';
import type { Frame, Locator, Page } from 'playwright-core';
import { overNavigations } from './page-failure.ts';
import { visibleTextScript } from './page-scripts.ts';
import { describeTarget, type ElementInPage, type Found, locate } from './page-targets.ts';
import type { StepClock } from './step-clock.ts';
import type { WidgetAnswer } from './widget-renderer.ts';

const done: WidgetAnswer = { ok: true };
const defaultScroll = 400;
const pollMs = 50;
const severalMs = 500;
/**
 * Matches the library's error if an action may already have reached the page. Such an action must
 * not be repeated.
 */
const begunText = /performing \w+ action/;
/**
 * The maximum number of characters that are typed one by one. A longer text is inserted at once,
 * like a paste.
 */
const mostTyped = 200;

export async function doStep(
  page: Page,
  widget: Frame,
  action: WidgetAction,
  clock: StepClock,
): Promise<WidgetAnswer> {
  switch (action.kind) {
    case 'wait':
      await sleep(action.ms);
      return done;
    case 'key':
      await focusWidget(page);
      return page.keyboard.press(action.key).then(
        () => done,
        () => mistaken(`There is no key "${action.key.slice(0, 64)}".`),
      );
    case 'scroll': {
      const { width, height } = page.viewportSize() ?? { width: 2, height: 2 };
      const amount = action.amount ?? defaultScroll;
      await page.mouse.move(width / 2, height / 2);
      await page.mouse.wheel(0, action.direction === 'down' ? amount : -amount);
      // The browser answers before it scrolls, so this waits a moment.
      await sleep(100);
      return done;
    }
    case 'click': {
      const button = action.clickType === 'right' ? 'right' : 'left';
      const clickCount = action.clickType === 'double' ? 2 : 1;
      return onTarget(widget, action.target, clock, (element, timeout) =>
        element.click({ button, clickCount, timeout }),
      );
    }
    case 'type':
      return onTarget(widget, action.target, clock, (element, timeout) =>
        typeInto(element, action.text, timeout),
      );
  }
}

/**
 * Checks an assertion in the page. Assertions of the kind `widgetToolCalled` need no page and are
 * checked by the service.
 */
export async function askPage(
  widget: Frame,
  assertion: WidgetAssertion,
  clock: StepClock,
): Promise<WidgetAnswer> {
  if ('target' in assertion) {
    const found = await overNavigations(() => locate(widget, assertion.target));
    if ('problem' in found) return mistaken(found.problem);
  }
  for (;;) {
    const reason = await overNavigations(() => notHolding(widget, assertion));
    if (reason === undefined) return done;
    if (clock.leftMs() <= 0) {
      return { ok: false, reason: `After ${secondsText(clock.withinMs)}: ${reason}` };
    }
    await sleep(pollMs);
  }
}

async function notHolding(widget: Frame, assertion: WidgetAssertion): Promise<string | undefined> {
  switch (assertion.kind) {
    case 'textVisible':
      return textNotVisible(widget, assertion.text);
    case 'elementVisible': {
      const found = await locate(widget, assertion.target);
      if ('problem' in found || found.visible.length === 0) return notSeen(assertion.target, found);
      return found.visible.length > 1 ? ambiguous(assertion.target, found) : undefined;
    }
    case 'elementHidden': {
      const found = await locate(widget, assertion.target);
      if ('problem' in found) return found.problem;
      if (found.visible.length === 0) return undefined;
      return `${describeTarget(assertion.target)} can be seen: ${await found.describe()}.`;
    }
    case 'inputValue':
      return otherValue(widget, assertion.target, assertion.equals);
    case 'widgetToolCalled':
      return 'calls are read from the recorded actions of the widget.';
  }
}

async function textNotVisible(widget: Frame, text: string): Promise<string | undefined> {
  const { shown, seen: drawn } = await visibleText(widget);
  const seen = plain(shown);
  if (seen.toLowerCase().includes(plain(text).toLowerCase())) {
    const isDrawn = packed(drawn).includes(packed(text));
    if (isDrawn) return undefined;
    return `the text ${quoted(text)} is in the page but cannot be seen: it is transparent, or outside of what can be scrolled to.`;
  }
  return `the text ${quoted(text)} cannot be seen; the widget shows ${seen === '' ? 'no text' : quoted(seen)}.`;
}

async function otherValue(
  widget: Frame,
  target: WidgetTarget,
  expected: string,
): Promise<string | undefined> {
  const found = await locate(widget, target);
  if ('problem' in found) return found.problem;
  const [element, another] = found.visible;
  if (element === undefined) return notSeen(target, found);
  if (another !== undefined) return ambiguous(target, found);
  const { value, isSecret } = await heldValue(element);
  if (value === expected) return undefined;
  const held = isSecret ? 'another value' : value === undefined ? 'no value' : quoted(value);
  return `${describeTarget(target)} holds ${held}, not ${isSecret ? 'the expected one' : quoted(expected)}.`;
}

/**
 * Waits until exactly one matching element is visible, then does the work on it. If several match,
 * it waits for a shorter time, because they rarely become one.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one wait with all of its ends, which share its clock.
async function onTarget(
  widget: Frame,
  target: WidgetTarget,
  clock: StepClock,
  work: (element: Locator, timeoutMs: number) => Promise<void>,
): Promise<WidgetAnswer> {
  let severalUntil: number | undefined;
  for (;;) {
    const found = await overNavigations(() => locate(widget, target));
    if ('problem' in found) return mistaken(found.problem);
    const [element, another] = found.visible;
    const leftMs = clock.leftMs();
    if (element !== undefined && another === undefined) {
      try {
        await work(element, Math.max(Math.ceil(leftMs), 100));
        return done;
      } catch (error) {
        const { message } = error as Error;
        const isDone = !/Timeout .* exceeded/.test(message) || begunText.test(message);
        if (isDone || clock.leftMs() <= 0) return { ok: false, reason: whyNot(target, message) };
        continue;
      }
    }
    severalUntil =
      element === undefined ? undefined : (severalUntil ?? performance.now() + severalMs);
    if (leftMs <= 0 || (severalUntil !== undefined && performance.now() >= severalUntil)) {
      const reason =
        element === undefined ? notSeen(target, found) : await ambiguous(target, found);
      return { ok: false, reason };
    }
    await sleep(pollMs);
  }
}

async function typeInto(element: Locator, text: string, timeout: number): Promise<void> {
  const kind = await element.evaluate(({ tagName, type }: ElementInPage) =>
    tagName === 'SELECT' ? 'select' : tagName === 'INPUT' ? type : 'text',
  );
  if (kind === 'select') {
    const byLabel = await element.selectOption({ label: text }, { timeout: 500 }).catch(() => []);
    if (byLabel.length === 0) await element.selectOption({ value: text }, { timeout });
    return;
  }
  const isTyped = ['text', 'search', 'email', 'url', 'tel', 'password', 'number'].includes(
    String(kind),
  );
  if (!isTyped || text.length > mostTyped) return element.fill(text, { timeout });
  await element.fill('', { timeout });
  await element.pressSequentially(text, { timeout });
}

async function heldValue(
  element: Locator,
): Promise<{ readonly value: string | undefined; readonly isSecret: boolean }> {
  return element.evaluate(({ isContentEditable, innerText, value, type }: ElementInPage) => ({
    value: isContentEditable === true ? innerText : typeof value === 'string' ? value : undefined,
    isSecret: type === 'password',
  }));
}

async function visibleText(
  widget: Frame,
): Promise<{ readonly shown: string; readonly seen: string }> {
  return (await widget.evaluate(visibleTextScript)) as { shown: string; seen: string };
}

async function focusWidget(page: Page): Promise<void> {
  await page.evaluate(
    `document.activeElement === document.querySelector('iframe') || document.querySelector('iframe').focus()`,
  );
}

function notSeen(target: WidgetTarget, found: Found): string {
  if ('problem' in found) return found.problem;
  if (target.nth !== undefined && target.nth >= found.count) {
    return `${describeTarget(target)} does not exist: ${found.count} found, and nth counts from 0.`;
  }
  const hidden = found.count === 0 ? '' : ` (${found.count} found, none visible)`;
  return `${describeTarget(target)} cannot be seen${hidden}.`;
}

async function ambiguous(target: WidgetTarget, found: Found): Promise<string> {
  if ('problem' in found) return found.problem;
  return `${describeTarget(target)} is ambiguous; choose one with nth: ${await found.describe()}.`;
}

/**
 * Returns the last obstacle from the library's error, which lists every attempt on its own lines.
 */
function whyNot(target: WidgetTarget, message: string): string {
  const obstacles = [
    /element is (?:not \w+|outside of the viewport)/g,
    /<[^>]{1,80}>[^\n]{0,40} intercepts pointer events/g,
    /Element is not an? [^\n]{1,120}/g,
    /did not find some options/g,
  ].flatMap((one) => message.match(one) ?? []);
  const line = obstacles.at(-1) ?? message.split('\n')[0] ?? '';
  const why = line
    .replace(/^locator\.\w+: (?:Error: )?/, '')
    .replace(
      /Timeout ([\d.]+)ms exceeded/,
      (_, ms) => `it was not ready within ${secondsText(Number(ms))}`,
    )
    .slice(0, 200)
    .replace(/\.+$/, '');
  return `${describeTarget(target)} could not be used: ${why}.`;
}

/** Marks a failure as a mistake in the case: the step cannot succeed in any widget. */
function mistaken(reason: string): WidgetAnswer {
  return { ok: false, reason, isMistake: true };
}

function packed(text: string): string {
  return text.replace(/\s+/g, '').toLowerCase();
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function quoted(text: string): string {
  const flat = plain(text);
  return `"${flat.length > 200 ? `${flat.slice(0, 200)}…` : flat}"`;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
