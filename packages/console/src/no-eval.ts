/**
 * Prevents Zod from testing whether `new Function` is allowed. The pages' content security policy
 * forbids it, so the test would be reported as a violation. This module must run before the first
 * schema is created.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
