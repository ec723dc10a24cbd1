"""The simulator as a web application."""

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from resources.simulator.batches import Batches
from resources.simulator.files import Files
from resources.simulator.reply import Reply, error_reply
from resources.simulator.settings import SimulatorSettings
from resources.simulator.simulator import Simulator

MODELS = ("simulator-reasoning", "simulator-fast")


def simulator_app(settings: SimulatorSettings) -> Starlette:
    """An application with completions, batches, models and health.

    Its `state.simulator` has the counts.

    Raises:
        OSError: the log cannot be written.
    """
    simulator = Simulator(settings)
    files = Files()
    batches = Batches(simulator, files)
    app = Starlette(
        routes=[
            Route("/v1/chat/completions", simulator, methods=["POST"]),
            Route("/v1/files", files.upload, methods=["POST"]),
            Route("/v1/files/{id}", files.describe, methods=["GET"]),
            Route("/v1/files/{id}/content", files.content, methods=["GET"]),
            Route("/v1/batches", batches.create, methods=["POST"]),
            Route("/v1/batches", batches.listed, methods=["GET"]),
            Route("/v1/batches/{id}", batches.describe, methods=["GET"]),
            Route("/v1/batches/{id}/cancel", batches.cancel, methods=["POST"]),
            Route("/v1/models", _models, methods=["GET"]),
            Route("/health", _health, methods=["GET"]),
        ],
        exception_handlers={HTTPException: _http_error, Exception: _failure},
    )
    app.state.simulator = simulator
    return app


async def _models(_request: Request) -> Response:
    models = [
        {"id": name, "object": "model", "created": 0, "owned_by": "simulator"} for name in MODELS
    ]
    return JSONResponse({"object": "list", "data": models})


async def _health(request: Request) -> Response:
    requests = request.app.state.simulator.requests
    return JSONResponse({"status": "ok", "simulator": True, "requests": requests})


async def _http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return _response(error_reply(status, f"{request.method} {request.url.path}: {error}"))


async def _failure(_request: Request, error: Exception) -> Response:
    return _response(error_reply(500, f"{type(error).__name__}: {error}"))


def _response(reply: Reply) -> Response:
    return Response(reply.body, reply.status, dict(reply.headers))
