/**
 * The type under which the checks of a conformance scenario are evidence of the response stage. No
 * case can state it.
 */
export const conformanceCheckType = 'conformanceCheck';
