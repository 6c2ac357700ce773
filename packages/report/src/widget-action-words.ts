import type { WidgetAction, WidgetTarget } from '@proofmark/domain';

/** Example: "Double-click button Place order, match 2". */
export function widgetActionWords(action: WidgetAction): string {
  switch (action.kind) {
    case 'click':
      return `${clickWords[action.clickType ?? 'left']} ${targetWords(action.target)}`;
    case 'type':
      return `Type “${action.text}” into ${targetWords(action.target)}`;
    case 'key':
      return `Press ${action.key}`;
    case 'scroll':
      return `Scroll ${action.direction}${action.amount === undefined ? '' : ` by ${action.amount}`}`;
    case 'wait':
      return `Wait ${action.ms} ms`;
  }
}

const clickWords = { left: 'Click', double: 'Double-click', right: 'Right-click' } as const;

function targetWords({ testId, role, text, css, nth }: WidgetTarget): string {
  const parts = [
    ...(testId === undefined ? [] : [`test id ${testId}`]),
    ...(role === undefined ? [] : [`${role.role} ${role.name ?? ''}`.trim()]),
    ...(text === undefined ? [] : [`“${text}”`]),
    ...(css === undefined ? [] : [css]),
    ...(nth === undefined ? [] : [`match ${nth + 1}`]),
  ];
  return parts.join(', ');
}
