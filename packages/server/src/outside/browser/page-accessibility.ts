/**
 * The accessibility notes of axe about a widget. They are advisory, so nothing fails if axe cannot
 * run.
 */
import type { AccessibilityNote } from '@proofmark/domain';
import axe from 'axe-core';
import type { Frame } from 'playwright-core';

const mostNotes = 50;
const mostChars = 300;

/** Runs axe from our own package, because the page may contain an axe that returns anything. */
export async function notesOf(widget: Frame): Promise<readonly AccessibilityNote[]> {
  const found = (await widget.evaluate(`(async () => {
    const window = globalThis;
    if (window.axe === undefined) { const module = undefined; ${axe.source} }
    const { violations } = await window.axe.run(document, { resultTypes: ['violations'], iframes: false });
    return violations.map(({ id, impact, help, nodes }) => ({ id, impact, help, count: nodes.length }));
  })()`)) as { id: string; impact: string | null; help: string; count: number }[];
  return found.slice(0, mostNotes).map(({ id, impact, help, count }) => ({
    rule: String(id).slice(0, mostChars),
    impact: impacts.find((one) => one === impact) ?? 'minor',
    help: String(help).slice(0, mostChars),
    elements: Number.isSafeInteger(count) && count > 0 ? count : 0,
  }));
}

const impacts = ['minor', 'moderate', 'serious', 'critical'] as const;
