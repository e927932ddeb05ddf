import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { gatewayProblems } from '#lambda/api/gateway-problems.ts';
import { type Problem, problemResponse } from '#lambda/api/problem.ts';
import { addProblemResponses } from '#lib/api/gateway-responses.ts';
import { newApp, propertiesOf } from '#test/support/aws/stack.ts';

const stack = new Stack(newApp());
const api = new RestApi(stack, 'Api');
api.root.addMethod('GET');
addProblemResponses(api, []);
const responses = propertiesOf(Template.fromStack(stack), 'AWS::ApiGateway::GatewayResponse');

test.each(Object.entries<Problem>(gatewayProblems))(
  'sends %s with the headers of a function’s problem response',
  (type, problem) => {
    const { headers = {} } = problemResponse(problem, 'id');
    const parameters = Object.entries(headers).map(([name, value]) => [
      `gatewayresponse.header.${name}`,
      `'${value}'`,
    ]);
    const response = responses.find(({ ResponseType }) => ResponseType === type);
    expect(response?.ResponseParameters).toEqual(Object.fromEntries(parameters));
  },
);
