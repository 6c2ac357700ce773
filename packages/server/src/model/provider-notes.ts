/**
 * Some providers attach a signature to a tool call and want it back with the conversation. It means nothing to anybody
 * else, so it stands in no trace; it is kept beside the input object of the call, for as long as that lives.
 */
import type { SharedV3ProviderMetadata } from '@ai-sdk/provider';

const notes = new WeakMap<object, SharedV3ProviderMetadata>();

export function keepProviderNotes(input: object, given: SharedV3ProviderMetadata): void {
  notes.set(input, given);
}

export function providerNotesOf(input: object): SharedV3ProviderMetadata | undefined {
  return notes.get(input);
}
