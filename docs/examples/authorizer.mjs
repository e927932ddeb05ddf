/* An authorizer of requests, in addition to their keys: docs/operate/security.md#an-authorizer. */

/** Returns whether a token is valid. Replace this with your own check, such as that of a signature. */
const isValid = async (token) => Boolean(token) && token === process.env.TOKEN;

export async function handler({ headers, methodArn }) {
  const isAllowed = await isValid(headers.Authorization ?? headers.authorization);
  return {
    principalId: 'caller',
    policyDocument: {
      Version: '2012-10-17',
      Statement: [
        { Action: 'execute-api:Invoke', Effect: isAllowed ? 'Allow' : 'Deny', Resource: methodArn },
      ],
    },
  };
}
