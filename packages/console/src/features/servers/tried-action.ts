import { WidgetAction } from '@proofmark/domain';

export const actionKinds = ['click', 'type', 'key', 'scroll', 'wait'] as const;
export const locators = ['testId', 'role', 'text', 'css'] as const;

export interface TriedAction {
  readonly kind: (typeof actionKinds)[number];
  readonly locator: (typeof locators)[number];
  /**
   * The selector of the element. For the locator `role`: the role, a space and the accessible name.
   */
  readonly target: string;
  readonly text: string;
}

export const firstTry: TriedAction = { kind: 'click', locator: 'text', target: '', text: '' };

export const triedActionWords = {
  click: 'Click',
  type: 'Type',
  key: 'Press a key',
  scroll: 'Scroll down',
  wait: 'Wait',
} as const;

export const locatorWords = {
  testId: 'Test id',
  role: 'Role and name',
  text: 'Text',
  css: 'CSS selector',
} as const;

export function needsTarget({ kind }: TriedAction): boolean {
  return kind === 'click' || kind === 'type';
}

/** Returns undefined if a required field is empty. */
export function readTried(tried: TriedAction): WidgetAction | undefined {
  return WidgetAction.safeParse(written(tried)).data;
}

function written({ kind, locator, target, text }: TriedAction): object {
  const found = { target: locator === 'role' ? { role: roleOf(target) } : { [locator]: target } };
  switch (kind) {
    case 'click':
      return { kind, ...found };
    case 'type':
      return { kind, ...found, text };
    case 'key':
      return { kind, key: text };
    case 'scroll':
      return { kind, direction: 'down' };
    case 'wait':
      return { kind, ms: Number(text) };
  }
}

function roleOf(target: string): object {
  const [role = '', ...name] = target.trim().split(' ');
  return name.length === 0 ? { role } : { role, name: name.join(' ') };
}
