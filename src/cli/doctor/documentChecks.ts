/** Checks of `fieldgraph doctor` on the trusted documents: whether the schema and the limits allow them. */
import { GraphQLError, type GraphQLSchema } from 'graphql';
import type { Config } from '../../config/config.js';
import { GatewayError } from '../../errors.js';
import {
  findInvalidDocuments,
  readTrustedDocuments,
  type TrustedDocument,
  toTextsById,
} from '../../graphql/documents/trustedDocuments.js';
import { createOperationGuard } from '../../graphql/limits/operationGuard.js';
import type { OperationLimits } from '../../graphql/limits/operationLimits.js';
import { createSchema } from '../../graphql/schema.js';
import { messageOf } from '../../lib/errorMessage.js';
import { type Finding, ok, problem } from './report.js';

const CHECK = 'callers.documents';
const MAX_SHOWN = 5;

type Limits = Pick<Config['callerLimits'], 'trustedDocuments' | 'operation'>;

export async function checkDocuments(limits: Limits, isSubgraph: boolean): Promise<Finding[]> {
  const { trustedDocuments: directory, operation } = limits;
  if (directory === undefined) return [];
  try {
    const documents = await readTrustedDocuments(directory);
    if (documents.length === 0) {
      const remedy = 'Set it to a directory with *.graphql files or a manifest.json.';
      return [problem(CHECK, 'TRUSTED_DOCUMENTS contains no document.', remedy)];
    }
    // Throws for an id that two documents have.
    toTextsById(documents);
    const schema = createSchema({ isSubgraph });
    const findings = [
      ...report(await findInvalidDocuments(documents, schema), documents.length, {
        wrong: 'do not match the schema',
        remedy: 'Correct the documents; `fieldgraph schema` prints the schema.',
      }),
      ...report(findRefusedDocuments(documents, schema, operation), documents.length, {
        wrong: 'exceed a limit, and are refused',
        remedy: 'Raise the limit, such as MAX_DEPTH, or divide the documents.',
      }),
    ];
    return findings.length > 0 ? findings : [ok(CHECK, 'The trusted documents are valid.')];
  } catch (error) {
    const remedy = 'Correct the directory or the document.';
    return [problem(CHECK, `TRUSTED_DOCUMENTS can't be used: ${messageOf(error)}`, remedy)];
  }
}

/** Without the limit on cost, which depends on variables. */
function findRefusedDocuments(
  documents: readonly TrustedDocument[],
  schema: GraphQLSchema,
  limits: OperationLimits,
): string[] {
  const guard = createOperationGuard(schema, { ...limits, maxCost: Number.POSITIVE_INFINITY });
  return documents.flatMap(({ texts, describe }) => {
    try {
      guard.check({ source: texts[0], operationName: undefined, variables: {} });
      return [];
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      return [describe(new GraphQLError(error.message))];
    }
  });
}

function report(
  descriptions: readonly string[],
  total: number,
  { wrong, remedy }: { wrong: string; remedy: string },
): Finding[] {
  if (descriptions.length === 0) return [];
  const more = descriptions.length > MAX_SHOWN ? ` (the first ${MAX_SHOWN})` : '';
  const shown = descriptions.slice(0, MAX_SHOWN).join(' ');
  const message = `${descriptions.length} of ${total} trusted documents ${wrong}${more}: ${shown}`;
  return [problem(CHECK, message, remedy)];
}
