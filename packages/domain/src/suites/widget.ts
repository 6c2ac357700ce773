import * as z from 'zod';

const text = z.string().max(5000);

export const WidgetTarget = z
  .strictObject({
    role: z
      .strictObject({
        role: z.string().min(1),
        name: z.string().optional(),
        exact: z.boolean().optional(),
      })
      .optional(),
    text: z.string().min(1).max(5000).optional(),
    css: z.string().min(1).max(5000).optional(),
    testId: z.string().min(1).max(5000).optional(),
    nth: z.int().min(0).optional(),
  })
  .refine(
    ({ role, text, css, testId }) => [role, text, css, testId].some((one) => one !== undefined),
    {
      error: 'A target must have at least one of role, text, css and testId.',
    },
  )
  .meta({ id: 'EvalWidgetTarget' });
export type WidgetTarget = z.infer<typeof WidgetTarget>;

export const WidgetAction = z
  .discriminatedUnion('kind', [
    z
      .strictObject({
        kind: z.literal('click'),
        target: WidgetTarget,
        clickType: z.enum(['left', 'double', 'right']).optional(),
      })
      .meta({ id: 'EvalWidgetActionClick' }),
    z
      .strictObject({ kind: z.literal('type'), target: WidgetTarget, text })
      .meta({ id: 'EvalWidgetActionType' }),
    z
      .strictObject({ kind: z.literal('key'), key: z.string().min(1).max(64) })
      .meta({ id: 'EvalWidgetActionKey' }),
    z
      .strictObject({
        kind: z.literal('scroll'),
        direction: z.enum(['up', 'down']),
        amount: z.int().min(1).optional(),
      })
      .meta({ id: 'EvalWidgetActionScroll' }),
    z
      .strictObject({ kind: z.literal('wait'), ms: z.int().min(1).max(30_000) })
      .meta({ id: 'EvalWidgetActionWait' }),
  ])
  .meta({ id: 'EvalWidgetAction' });
export type WidgetAction = z.infer<typeof WidgetAction>;

const toolName = z.string().min(1);

export const WidgetAssertion = z
  .discriminatedUnion('kind', [
    z
      .strictObject({
        kind: z.literal('textVisible'),
        toolName,
        text: z.string().min(1).max(5000),
      })
      .meta({ id: 'EvalWidgetAssertionTextVisible' }),
    z
      .strictObject({ kind: z.literal('elementVisible'), toolName, target: WidgetTarget })
      .meta({ id: 'EvalWidgetAssertionElementVisible' }),
    z
      .strictObject({ kind: z.literal('elementHidden'), toolName, target: WidgetTarget })
      .meta({ id: 'EvalWidgetAssertionElementHidden' }),
    z
      .strictObject({
        kind: z.literal('inputValue'),
        toolName,
        target: WidgetTarget,
        equals: text,
      })
      .meta({ id: 'EvalWidgetAssertionInputValue' }),
    z
      .strictObject({
        kind: z.literal('widgetToolCalled'),
        toolName,
        calledToolName: z.string().min(1),
      })
      .meta({ id: 'EvalWidgetAssertionWidgetToolCalled' }),
  ])
  .meta({ id: 'EvalWidgetAssertion' });
export type WidgetAssertion = z.infer<typeof WidgetAssertion>;
