/** Parses the options of a command. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { messageOf } from '../lib/errorMessage.js';

type OptionTable = NonNullable<ParseArgsConfig['options']>;

/** Returns a message if the arguments are invalid, also for a repeated option: `parseArgs` would use only the last one. */
export function parseOptions<const Options extends OptionTable>(args: readonly string[], options: Options) {
  try {
    const { values, tokens } = parseArgs({ args: [...args], options, strict: true, tokens: true });
    const names = tokens.flatMap((token) => (token.kind === 'option' ? [`--${token.name}`] : []));
    const repeated = names.find((name, index) => names.indexOf(name) < index);
    return repeated === undefined ? values : `${repeated} is repeated; set it once.`;
  } catch (error) {
    return messageOf(error);
  }
}
