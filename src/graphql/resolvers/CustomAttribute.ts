/** Resolves custom attributes. */
import type { CustomAttributeNameResolvers, CustomAttributeResolvers } from '../generated/resolverTypes.js';
import { platformIdentity } from './identity.js';

export const CustomAttribute: CustomAttributeResolvers = platformIdentity;

export const CustomAttributeName: CustomAttributeNameResolvers = platformIdentity;
