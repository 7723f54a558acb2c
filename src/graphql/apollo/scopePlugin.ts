/** Refuses operations over HTTP that need a scope which the caller lacks. */
import type { ApolloServerPlugin } from '@apollo/server';
import type { Context } from '../context.js';
import { toScopeError } from '../scopes.js';

export const scopePlugin: ApolloServerPlugin<Context> = {
  async requestDidStart() {
    return {
      async didResolveOperation({ operation, contextValue: { scopes } }) {
        const refusal = operation && toScopeError(scopes, operation.operation);
        if (refusal) throw refusal;
      },
    };
  },
};
